import type { FieldProblem } from '../../components/ui/field.tsx'
import { Field, messageFor } from '../../components/ui/field.tsx'
import type { Draft } from './draft.ts'

interface CustomerStepProps {
  draft: Draft
  problems: readonly FieldProblem[]
  onChange: (change: Partial<Draft>) => void
}

export function CustomerStep({ draft, problems, onChange }: CustomerStepProps) {
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
        onChange={(event) => onChange({ customerEmail: event.target.value })}
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
        onChange={(event) => onChange({ discordUsername: event.target.value })}
      />
    </div>
  )
}
