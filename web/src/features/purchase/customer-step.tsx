import { type BuyerTextName, buyerTextNames } from '#contract/buyer.ts'
import { Field, type FieldProps, messageFor } from '../../components/ui/field.tsx'
import { changeDraft } from './draft-store.ts'
import type { QuestionProps } from './step-form.tsx'

const inputs: Readonly<Record<BuyerTextName, Omit<FieldProps, 'id'>>> = {
  customerEmail: {
    label: 'E-mail address',
    hint: 'Only for this order.',
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
  },
  discordUsername: {
    label: 'Discord username',
    hint: 'Support and delivery reach you there.',
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  },
}

export function CustomerStep({ draft, problems }: QuestionProps) {
  return (
    <div className="grid gap-6">
      {buyerTextNames.map((name) => (
        <Field
          key={name}
          id={name}
          {...inputs[name]}
          error={messageFor(problems, name)}
          value={draft[name]}
          onChange={(event) => changeDraft({ [name]: event.target.value })}
        />
      ))}
    </div>
  )
}
