import { type BuyerTextName, buyerTextNames } from '#contract/buyer.ts'
import { useShop } from '../../api/shop.ts'
import { Field, type FieldProps, messageFor } from '../../components/ui/field.tsx'
import { changeDraft } from './draft.ts'
import type { QuestionProps } from './step-form.tsx'
import { useState } from 'react'
import { emailIn, likelyEmail } from '#contract/typed-text.ts'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/notice.tsx'

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

/** Addresses that the buyer has been asked about. */
const asked = new Set<string>()

/** Asks once about an address that looks like a slip. `ask` says whether the buyer must see the question first. */
export function useLikelyEmail(typed: string) {
  const email = emailIn(typed)
  const likely = likelyEmail(email)
  const [askedNow, setAskedNow] = useState<string>()
  return {
    ask(): boolean {
      if (likely === undefined || asked.has(email)) return false
      asked.add(email)
      setAskedNow(email)
      return true
    },
    question: likely !== undefined && askedNow === email && <LikelyEmail email={email} likely={likely} />,
  }
}

function LikelyEmail({ email, likely }: { email: string; likely: string }) {
  return (
    <Notice tone="wait" title={`Did you mean ${likely.slice(likely.lastIndexOf('@') + 1)}?`} role="alert">
      <p>You entered {email}. If that is right, continue.</p>
      <p>
        <Button onClick={() => changeDraft({ customerEmail: likely })}>Use {likely}</Button>
      </p>
    </Notice>
  )
}
