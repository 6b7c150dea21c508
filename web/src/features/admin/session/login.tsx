import type { LoginRequest } from '#contract/admin.ts'
import { useEffect, useState } from 'react'
import { ApiError, sayError } from '../../../api/client.ts'
import { logIn, type StaffSession } from '../../../api/staff-session.ts'
import { PageHeading, Card } from '../../../components/layout/page.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { toast } from '../../../components/ui/use-action.ts'
import { useForm } from '../../../components/ui/use-form.ts'

type Reason = Extract<StaffSession, { is: 'out' }>['because']

const reasons: Partial<Record<Reason, string>> = {
  ended: 'Your session has ended. Log in to go on where you were.',
  'password-changed': 'Admin password was changed. Please login again.',
  'own-change': 'The password was changed. Please log in with the new one.',
}

export function Login({ because, onCancel }: { because: Reason; onCancel: () => void }) {
  /** They were right, and a code is needed, too. */
  const [credentials, setCredentials] = useState<LoginRequest>()
  const { form, isBusy, problems } = useForm<'email' | 'password' | 'code'>({
    check: ({ code }) => (code?.trim() === '' ? { code: 'Enter the code.' } : {}),
    act: async ({ email, password, code }) => {
      const given = credentials ? { ...credentials, code } : { email, password }
      try {
        await logIn(given)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'admin/code-needed') throw error
        return setCredentials(given)
      }
      toast('Success', 'Successfully logged in as admin')
    },
    failure: 'Error',
    say: refusalOf,
  })
  const { ref } = form
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref, credentials])

  const reason = reasons[because]
  return (
    <>
      {reason !== undefined && <Notice>{reason}</Notice>}
      <Card>
        <form {...form} aria-labelledby="admin-login" className="grid gap-4">
          <div id="admin-login">
            <PageHeading className="text-xl">Admin Login</PageHeading>
          </div>
          {credentials ? (
            <Field
              key="code"
              id="admin-code"
              name="code"
              label="Login code"
              hint="The six digits of your authenticator app, or a recovery code."
              autoComplete="one-time-code"
              error={problems['code']}
            />
          ) : (
            <>
              <Field id="admin-email" name="email" label="E-mail" type="email" autoComplete="username" />
              <Field
                id="admin-password"
                name="password"
                label="Password"
                type="password"
                autoComplete="current-password"
              />
            </>
          )}
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <Button onClick={onCancel}>Cancel</Button>
            <Button type="submit" kind="primary" pending={isBusy && 'Logging in...'}>
              Login
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}

/** Only a 400 or 401 is about the credentials. */
function refusalOf(error: unknown): string {
  const isAboutCredentials = error instanceof ApiError && (error.status === 400 || error.status === 401)
  return isAboutCredentials ? 'Login failed. Please check your credentials.' : sayError(error)
}
