import type { SyntheticEvent } from 'react'
import { useState } from 'react'
import { ApiError, sayError } from '../../api/client.ts'
import { changePassword } from '../../api/staff-session.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { toast } from '../../components/ui/toast.ts'

const LENGTH_MIN = 10

interface Problems {
  readonly current?: string
  readonly next?: string
  readonly again?: string
}

export function PasswordForm() {
  const [isPending, setPending] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const read = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    const [current, next, again] = [read('current'), read('next'), read('again')]
    const found = problemsOf({ current, next, again })
    setProblems(found)
    const [wrong] = Object.keys(found)
    if (wrong !== undefined) {
      form.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
      return
    }
    setPending(true)
    try {
      const { message } = await changePassword({ currentPassword: current, newPassword: next })
      toast('Success', message)
    } catch (error) {
      setPending(false)
      if (error instanceof ApiError && error.code === 'admin/wrong-password') {
        setProblems({ current: error.say })
        form.querySelector<HTMLInputElement>('[name=current]')?.focus()
      } else toast('Error', sayError(error), { destructive: true })
    }
  }

  const common = { type: 'password', inputClassName: 'min-h-9' } as const
  return (
    <form className="grid max-w-80 gap-3" noValidate onSubmit={(event) => void submit(event)}>
      <p className="text-muted">Changing it ends every session, this one too.</p>
      <Field
        {...common}
        id="current-password"
        name="current"
        label="Current password"
        autoComplete="current-password"
        error={problems.current}
      />
      <Field
        {...common}
        id="new-password"
        name="next"
        label="New password"
        hint={`At least ${LENGTH_MIN} characters.`}
        autoComplete="new-password"
        error={problems.next}
      />
      <Field
        {...common}
        id="new-password-again"
        name="again"
        label="New password again"
        autoComplete="new-password"
        error={problems.again}
      />
      <div>
        <Button type="submit" size="small" kind="ink" pending={isPending && 'Changing...'}>
          Change password
        </Button>
      </div>
    </form>
  )
}

function problemsOf({ current, next, again }: { current: string; next: string; again: string }): Problems {
  return {
    ...(current === '' && { current: 'Enter the password that you log in with now' }),
    ...(next.length < LENGTH_MIN && { next: `Enter at least ${LENGTH_MIN} characters` }),
    ...(next.length >= LENGTH_MIN && next !== again && { again: 'The two new passwords are not the same' }),
  }
}
