import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { Button } from './button.tsx'
import { toast } from './toast.ts'

const CHECK_SHOWN_MS = 2_000

/** `what` completes the name: "Copy Litecoin address". */
export function CopyButton({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), CHECK_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (await copyText(text)) {
      setCopied(true)
      toast('Copied!', `The ${what} is on your clipboard.`)
    } else {
      toast('Copy Failed', 'Unable to copy to clipboard', { destructive: true })
    }
  }
  return (
    <Button onClick={() => void copy()} aria-label={label === 'Copy' ? `Copy ${what}` : undefined}>
      {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {label}
    </Button>
  )
}
