export const stepTitles = [
  'Select Quantity',
  'Customer Information',
  'Market ID Verification',
  'Payment Method',
  'Payment',
  'Complete',
] as const

/** Progress as text, as a bar and by name. Not a menu: Continue and Back change the step. */
export function StepLine({ step }: { step: number }) {
  return (
    <div className="@container grid gap-2">
      <p className="text-sm text-muted">
        Step {step} of {stepTitles.length}
      </p>
      <div aria-hidden="true" className="grid grid-cols-6 gap-1">
        {stepTitles.map((title, index) => (
          <span key={title} className={`milled h-2 ${index < step ? 'text-amber-edge' : 'text-line'}`} />
        ))}
      </div>
      <ol
        aria-label="Steps"
        className="flex flex-wrap gap-x-3 text-sm text-muted @min-[34rem]:grid @min-[34rem]:grid-cols-6 @min-[34rem]:gap-x-1"
      >
        {stepTitles.map((title, index) => (
          <li
            key={title}
            aria-current={index + 1 === step ? 'step' : undefined}
            className="aria-[current]:font-semibold aria-[current]:text-ink @min-[34rem]:pr-2"
          >
            {title}
          </li>
        ))}
      </ol>
    </div>
  )
}
