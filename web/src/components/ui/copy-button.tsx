import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { Button, type ButtonProps } from './button.tsx'
import { toast } from './toast.ts'

const CHECK_SHOWN_MS = 2_000

interface Copied {
  text: string
  /** Completes the name: "Copy Litecoin address". */
  what: string
}

interface CopyButtonProps extends Copied, Pick<ButtonProps, 'size' | 'kind' | 'className'> {
  label?: string
}

export function CopyButton({ text, what, label = 'Copy', ...look }: CopyButtonProps) {
  const { isCopied, copy } = useCopy({ text, what })
  return (
    <Button {...look} onClick={() => void copy()} aria-label={label === 'Copy' ? `Copy ${what}` : undefined}>
      {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {label}
    </Button>
  )
}

export function CopyOrderLink({ orderId }: { orderId: string }) {
  const { href } = new URL(`/order/${orderId}`, window.location.href)
  return <CopyButton text={href} what="link to this order" label="Copy Link" />
}

/** An icon alone, for the dense rows of staff. */
export function CopyIcon({ text, what }: Copied) {
  const { isCopied, copy } = useCopy({ text, what })
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      className="inline-grid size-7 flex-none place-items-center rounded-control align-middle text-muted hover:bg-sunk hover:text-ink"
      onClick={() => void copy()}
    >
      <Icon aria-hidden="true" className="size-4" />
      <span className="sr-only">Copy {what}</span>
    </button>
  )
}

function useCopy({ text, what }: Copied) {
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
  return { isCopied, copy }
}
