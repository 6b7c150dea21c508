import type { SyntheticEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, sayError } from '../../api/client.ts'
import type { StaffSession } from '../../api/staff-session.ts'
import { logIn } from '../../api/staff-session.ts'
import { PageHeading, Sheet } from '../../components/layout/page.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { toast } from '../../components/ui/toast.ts'

type Reason = Extract<StaffSession, { is: 'out' }>['because']

const reasons: Partial<Record<Reason, string>> = {
  ended: 'Your session has ended. Log in to go on where you were.',
  'password-changed': 'Admin password was changed. Please login again.',
  'own-change': 'The password was changed. Please log in with the new one.',
}

export function Login({ because, onCancel }: { because: Reason; onCancel: () => void }) {
  const [isPending, setPending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const data = new FormData(event.currentTarget)
    const [email, password] = [textOf(data.get('email')), textOf(data.get('password'))]
    setPending(true)
    try {
      const answer = await logIn({ email, password })
      if (answer.success) toast('Success', 'Successfully logged in as admin')
      else toast('Error', answer.message === '' ? 'Login failed' : answer.message, { destructive: true })
    } catch (error) {
      toast('Error', refusalOf(error), { destructive: true })
    }
    setPending(false)
  }

  const reason = reasons[because]
  return (
    <>
      {reason !== undefined && (
        <Notice tone="info">
          <p>{reason}</p>
        </Notice>
      )}
      <Sheet>
        <form ref={form} aria-labelledby="admin-login" className="grid gap-4" onSubmit={(event) => void submit(event)}>
          <div id="admin-login">
            <PageHeading className="text-xl">Admin Login</PageHeading>
          </div>
          <Field id="admin-email" name="email" label="E-mail" type="email" autoComplete="username" />
          <Field id="admin-password" name="password" label="Password" type="password" autoComplete="current-password" />
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <Button onClick={onCancel}>Cancel</Button>
            <Button type="submit" kind="primary" pending={isPending && 'Logging in...'}>
              Login
            </Button>
          </div>
        </form>
      </Sheet>
    </>
  )
}

/** A shop that is away, or asks for patience, is no wrong password. */
function refusalOf(error: unknown): string {
  const isAboutCredentials = error instanceof ApiError && (error.status === 400 || error.status === 401)
  return isAboutCredentials ? 'Login failed. Please check your credentials.' : sayError(error)
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : ''
}
