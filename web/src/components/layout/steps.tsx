import { type ReactNode, useEffect, useRef } from 'react'

export const stepTitles = [
  'Select Quantity',
  'Customer Information',
  'Market ID Verification',
  'Payment Method',
  'Payment',
  'Complete',
] as const

/** Progress as text, as a bar and by name, beside the link back. Not a menu: Continue and Back change the step. */
export function StepLine({ step, children }: { step: number; children?: ReactNode }) {
  return (
    <div className="@container">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] content-center items-center gap-x-2 gap-y-1 max-md:min-h-11 [&>a]:row-span-2 md:@min-[34rem]:gap-y-2 md:@min-[34rem]:[&>a]:row-span-1 max-md:[&>a>span]:sr-only">
        {children}
        <p className="col-start-2 text-sm text-muted md:@min-[34rem]:justify-self-end">
          Step {step} of {stepTitles.length}
          <span aria-hidden="true" className="md:@min-[34rem]:hidden">
            {' '}
            · {stepTitles[step - 1]}
          </span>
        </p>
        <ol
          aria-label="Steps"
          className="col-start-2 grid grid-cols-6 gap-1 text-sm text-muted md:@min-[34rem]:col-span-2 md:@min-[34rem]:col-start-1"
        >
          {stepTitles.map((title, index) => (
            <li
              key={title}
              aria-current={index + 1 === step ? 'step' : undefined}
              className="aria-[current]:font-semibold aria-[current]:text-ink"
            >
              <span
                aria-hidden="true"
                className={`milled block h-2 ${index < step ? 'text-amber-edge' : 'text-line'}`}
              />
              <span className="sr-only md:@min-[34rem]:not-sr-only md:@min-[34rem]:block md:@min-[34rem]:pt-2 md:@min-[34rem]:pr-2">
                {title}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

/** Elements that handle Enter themselves. */
const ownEnter = 'a[href], button, summary, input, select, textarea, dialog, [contenteditable]'

/** Calls `advance` on Enter anywhere on the screen. Undefined while the step is not valid. */
export function useEnter(advance: (() => void) | undefined): void {
  const now = useRef(advance)
  useEffect(() => {
    now.current = advance
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPlain = !event.repeat && !event.isComposing && !event.altKey && !event.ctrlKey && !event.metaKey
      if (event.key !== 'Enter' || !isPlain || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(ownEnter) !== null) return
      now.current?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
