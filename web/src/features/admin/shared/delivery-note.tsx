import { useId } from 'react'
import { Check, Field } from '../../../components/ui/field.tsx'

export interface Noted {
  note?: string
  isNoteShown?: boolean
}

/** What was given to whom: evidence, should the payment be disputed. */
export function DeliveryNote({ noted, onChange }: { noted: Noted; onChange: (noted: Noted) => void }) {
  return (
    <div>
      <Field
        id={useId()}
        label="Note (optional)"
        hint="What was given to whom, as evidence should the payment be disputed."
        maxLength={500}
        inputClassName="min-h-9"
        onChange={({ currentTarget }) => onChange({ ...noted, note: currentTarget.value })}
      />
      <Check onChange={({ currentTarget }) => onChange({ ...noted, isNoteShown: currentTarget.checked })}>
        Show it to the buyer
      </Check>
    </div>
  )
}
