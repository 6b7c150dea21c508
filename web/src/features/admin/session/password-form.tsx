import { changePassword } from '../../../api/staff-session.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { toast } from '../../../components/ui/use-action.ts'
import { useForm } from '../../../components/ui/use-form.ts'

const fields = [
  { id: 'current-password', name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  {
    id: 'new-password',
    name: 'newPassword',
    label: 'New password',
    hint: 'At least 10 characters.',
    autoComplete: 'new-password',
  },
  { id: 'new-password-again', name: 'again', label: 'New password again', autoComplete: 'new-password' },
] as const

export function PasswordForm() {
  const { form, problems, isBusy } = useForm<(typeof fields)[number]['name']>({
    check: ({ newPassword, again }) =>
      newPassword === again ? {} : { again: 'The two new passwords are not the same' },
    act: async ({ currentPassword, newPassword }) => {
      const { message } = await changePassword({ currentPassword, newPassword })
      toast('Success', message)
    },
    fields: { 'admin/wrong-password': 'currentPassword' },
    failure: 'Error',
  })
  return (
    <form
      {...form}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] items-end gap-3"
      noValidate
    >
      <p className="col-span-full text-muted">Changing it ends every session, this one too.</p>
      {fields.map((field) => (
        <Field key={field.id} {...field} type="password" inputClassName="min-h-9" error={problems[field.name]} />
      ))}
      <div className="col-span-full">
        <Button type="submit" size="small" pending={isBusy && 'Changing...'}>
          Change password
        </Button>
      </div>
    </form>
  )
}
