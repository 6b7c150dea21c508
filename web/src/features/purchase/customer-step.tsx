import { type BuyerTextName, buyerTextNames } from '#contract/buyer.ts'
import { useShop } from '../../api/shop.ts'
import { Field, type FieldProps, messageFor } from '../../components/ui/field.tsx'
import { changeDraft } from './draft-store.ts'
import type { QuestionProps } from './step-form.tsx'

const inputs: Readonly<Record<BuyerTextName, Omit<FieldProps, 'id'>>> = {
  customerEmail: {
    label: 'E-mail address',
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
  const mails = useShop()?.mailsBuyers === true
  const hints: Partial<Record<BuyerTextName, string>> = {
    customerEmail: mails
      ? 'Only for this order: we mail you when your payment arrives, and when your coins are delivered.'
      : 'Only for this order.',
  }
  return (
    <div className="grid gap-6">
      {buyerTextNames.map((name) => (
        <Field
          key={name}
          id={name}
          hint={hints[name]}
          {...inputs[name]}
          error={messageFor(problems, name)}
          value={draft[name]}
          onChange={(event) => changeDraft({ [name]: event.target.value })}
        />
      ))}
    </div>
  )
}
