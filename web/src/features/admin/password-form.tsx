import { ApiError, sayError } from '../../api/client.ts'
import { changePassword } from '../../api/staff-session.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { toast } from '../../components/ui/toast.ts'
import { type Problems, useForm } from './use-form.ts'

const LENGTH_MIN = 10

type Name = 'current' | 'next' | 'again'

export function PasswordForm() {
  const { form, problems, isBusy } = useForm<Name>({
    check: problemsOf,
    act: async ({ current, next }) => {
      const { message } = await changePassword({ currentPassword: current, newPassword: next })
      toast('Success', message)
    },
    onFailure: (error) => {
      if (error instanceof ApiError && error.code === 'admin/wrong-password') return { current: error.say }
      toast('Error', sayError(error), { destructive: true })
      return {}
    },
  })
  const common = { type: 'password', inputClassName: 'min-h-9' } as const
  return (
    <form {...form} className="grid max-w-80 gap-3" noValidate>
      <p className="text-muted">Changing it ends every session, this one too.</p>
      <Field
        {...common}
        id="current-password"
        name="current"
        label="Current password"
        autoComplete="current-password"
        error={problems['current']}
      />
      <Field
        {...common}
        id="new-password"
        name="next"
        label="New password"
        hint={`At least ${LENGTH_MIN} characters.`}
        autoComplete="new-password"
        error={problems['next']}
      />
      <Field
        {...common}
        id="new-password-again"
        name="again"
        label="New password again"
        autoComplete="new-password"
        error={problems['again']}
      />
      <div>
        <Button type="submit" size="small" kind="ink" pending={isBusy && 'Changing...'}>
          Change password
        </Button>
      </div>
    </form>
  )
}

function problemsOf({ current, next, again }: Record<Name, string>): Problems {
  return {
    ...(current === '' && { current: 'Enter the password that you log in with now' }),
    ...(next.length < LENGTH_MIN && { next: `Enter at least ${LENGTH_MIN} characters` }),
    ...(next.length >= LENGTH_MIN && next !== again && { again: 'The two new passwords are not the same' }),
  }
}
