import { Field, messageFor } from '../../components/ui/field.tsx'
import { changeDraft } from './draft-store.ts'
import type { QuestionProps } from './step-form.tsx'

export function CustomerStep({ draft, problems }: QuestionProps) {
  return (
    <div className="grid gap-6">
      <Field
        id="customerEmail"
        label="E-mail address"
        hint="Only for this order."
        error={messageFor(problems, 'customerEmail')}
        type="email"
        autoComplete="email"
        inputMode="email"
        value={draft.customerEmail}
        onChange={(event) => changeDraft({ customerEmail: event.target.value })}
      />
      <Field
        id="discordUsername"
        label="Discord username"
        hint="Support and delivery reach you there."
        error={messageFor(problems, 'discordUsername')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={draft.discordUsername}
        onChange={(event) => changeDraft({ discordUsername: event.target.value })}
      />
    </div>
  )
}
