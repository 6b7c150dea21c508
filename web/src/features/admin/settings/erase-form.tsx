import { personalDataOfOrder } from '#contract/buyer.ts'
import { trimmed } from '#contract/typed-text.ts'
import { useState } from 'react'
import { eraseCustomer } from '../../../api/admin.ts'
import { useUnsent } from '../../../api/staff-session.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { toast, useAction } from '../../../components/ui/use-action.ts'
import { useForm } from '../../../components/ui/use-form.ts'

/** Erases the person with the typed e-mail address. */
export function EraseForm() {
  const [email, setEmail] = useState<string>()
  const unsent = useUnsent<{ email: string }>('erase')
  const { form, problems } = useForm<'email'>({
    unsent,
    check: (typed) => (typed.email.includes('@') ? {} : { email: 'Type the e-mail address of the orders' }),
    act: async (typed) => setEmail(trimmed(typed.email)),
    failure: 'Error',
  })
  return (
    <>
      <form {...form} className="grid gap-3" noValidate>
        <p className="text-muted">
          Deletes this buyer&apos;s personal data for good. Orders and amounts stay. Refused while an order still needs
          its buyer.
        </p>
        <Field
          id="erase-email"
          className="max-w-80"
          name="email"
          type="email"
          label="E-mail of the person"
          autoComplete="off"
          inputClassName="min-h-9"
          error={problems['email']}
        />
        <div>
          <Button type="submit" size="small" kind="danger">
            Erase...
          </Button>
        </div>
      </form>
      {email !== undefined && (
        <EraseDialog
          email={email}
          onErased={() => {
            form.ref.current?.reset()
            unsent[1](undefined)
          }}
          onClose={() => setEmail(undefined)}
        />
      )}
    </>
  )
}

function EraseDialog({ email, onErased, onClose }: { email: string; onErased: () => void; onClose: () => void }) {
  const erase = useAction(async () => {
    const { erased, message } = await eraseCustomer(email)
    toast(erased ? 'Success' : 'Not erased yet', message)
    onErased()
    onClose()
  })
  return (
    <ConfirmDialog
      title="Erase this person?"
      action="Erase"
      kind="danger"
      pending={erase.isBusy && 'Erasing...'}
      onConfirm={erase.run}
      onClose={onClose}
    >
      <p>
        The {personalDataOfOrder} of <strong className="wrap-anywhere">{email}</strong> can be read by nobody
        afterwards. This cannot be undone.
      </p>
      {erase.problem !== undefined && (
        <p role="alert" className="font-medium text-red">
          {erase.problem}
        </p>
      )}
    </ConfirmDialog>
  )
}
