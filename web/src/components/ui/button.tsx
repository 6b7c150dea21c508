import { cva, type VariantProps } from 'class-variance-authority'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import type { LinkProps } from 'react-router-dom'
import { Link } from 'react-router-dom'

export const buttonStyle = cva(
  'inline-flex items-center justify-center gap-2 rounded-control border text-center font-semibold no-underline transition-colors duration-150 select-none aria-disabled:cursor-not-allowed [&>svg]:size-[1.25em]',
  {
    variants: {
      kind: {
        primary:
          'border-amber-edge bg-amber text-on-amber shadow-[inset_0_-3px_0_var(--color-amber-edge)] hover:bg-amber-lit active:shadow-none aria-disabled:border-line aria-disabled:bg-sunk aria-disabled:text-muted aria-disabled:shadow-none',
        plain: 'border-edge bg-surface text-ink hover:bg-sunk aria-disabled:border-line aria-disabled:text-muted',
        quiet: 'border-transparent bg-transparent text-ink underline-offset-4 hover:bg-sunk aria-disabled:text-muted',
        danger:
          'border-red bg-surface text-red hover:bg-red-soft aria-disabled:border-line aria-disabled:text-muted aria-disabled:hover:bg-surface',
      },
      size: {
        normal: 'min-h-11 px-5 py-2',
        large: 'min-h-13 px-7 py-2.5 text-lg',
        /** For the staff's dense screens. */
        small: 'min-h-9 px-3 py-1.5 text-sm',
      },
    },
    defaultVariants: { kind: 'plain', size: 'normal' },
  },
)

type Style = VariantProps<typeof buttonStyle>

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'>, Style {
  /** Shown in place of the content while the action runs; further clicks are ignored. */
  pending?: string | false | undefined
  disabled?: boolean | undefined
}

/** Uses aria-disabled, so that keyboard focus stays on it while it cannot be pressed. */
export function Button(props: ButtonProps) {
  const { kind, size, className, pending, disabled, onClick, type = 'button', children, ...rest } = props
  const isOff = disabled === true || typeof pending === 'string'
  return (
    <button
      {...rest}
      type={type}
      className={buttonStyle({ kind, size, className })}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {typeof pending === 'string' ? (
        <>
          <Spinner />
          {pending}
        </>
      ) : (
        children
      )}
    </button>
  )
}

export function ButtonLink({ kind, size, className, ...rest }: LinkProps & Style & { children: ReactNode }) {
  return <Link {...rest} className={buttonStyle({ kind, size, className })} />
}

export function Spinner() {
  return (
    <svg viewBox="0 0 20 20" className="size-5 animate-spin" aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2.5" strokeDasharray="32 20" />
    </svg>
  )
}
