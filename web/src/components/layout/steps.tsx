export const stepTitles = [
  'Select Quantity',
  'Customer Information',
  'Market ID Verification',
  'Payment Method',
  'Payment',
  'Complete',
] as const

/** Progress as text and as a bar. Not a menu: steps are changed by Continue and Back. */
export function StepLine({ step }: { step: number }) {
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">
        Step {step} of {stepTitles.length}
      </p>
      <div aria-hidden="true" className="grid grid-cols-6 gap-1">
        {stepTitles.map((title, index) => (
          <span key={title} className={`milled h-2 ${index < step ? 'text-amber-edge' : 'text-line'}`} />
        ))}
      </div>
    </div>
  )
}
