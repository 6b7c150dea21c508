export const stepTitles = [
  'Select Quantity',
  'Customer Information',
  'Market ID Verification',
  'Payment Method',
  'Payment',
  'Complete',
] as const

/** Where one is, as text and as a milled edge that fills up. Not a menu: steps are left by Continue and Back. */
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
