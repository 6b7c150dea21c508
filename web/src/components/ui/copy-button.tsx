import Copy from 'lucide:copy'
import { Button, type ButtonProps } from './button.tsx'
import { toast } from './use-action.ts'

interface CopiedText {
  text: string
  /** Completes the button's name: "Copy Litecoin address". */
  what: string
}

interface CopyButtonProps extends CopiedText, Pick<ButtonProps, 'size' | 'kind' | 'className'> {
  label?: string
}

export function CopyButton({ text, what, label = 'Copy', ...look }: CopyButtonProps) {
  return (
    <Button
      {...look}
      onClick={() => void copy({ text, what })}
      aria-label={label === 'Copy' ? `Copy ${what}` : undefined}
    >
      <Copy />
      {label}
    </Button>
  )
}

export function CopyOrderLink({ orderId }: { orderId: string }) {
  const { href } = new URL(`/order/${orderId}`, window.location.href)
  return <CopyButton text={href} what="link to this order" label="Copy Link" />
}

/** An icon only, for dense staff rows. */
export function CopyIcon({ text, what }: CopiedText) {
  return (
    <button
      type="button"
      className="inline-grid size-6 flex-none place-items-center rounded-control align-middle text-muted hover:bg-sunk hover:text-ink"
      onClick={() => void copy({ text, what })}
    >
      <Copy className="size-4" />
      <span className="sr-only">Copy {what}</span>
    </button>
  )
}

/** Fails on plain http, where browsers offer no clipboard. */
async function copy({ text, what }: CopiedText): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('Copied!', `The ${what} is on your clipboard.`)
  } catch {
    toast('Copy Failed', 'Unable to copy to clipboard', { destructive: true })
  }
}
