import type { SecondFactorSecret } from '#contract/admin.ts'
import { useId, useState } from 'react'
import { useSecondFactor } from '../../../api/admin.ts'
import {
  confirmSession,
  startSecondFactor,
  turnSecondFactorOff,
  turnSecondFactorOn,
  useCodeAsked,
} from '../../../api/staff-session.ts'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Field, type FieldProps } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { QrCode } from '../../../components/ui/qr-code.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { toast } from '../../../components/ui/use-action.ts'
import { useForm } from '../../../components/ui/use-form.ts'
import { count } from '../../../lib/format.ts'

/** Turns the codes of an authenticator app on and off. */
export function LoginCodes() {
  const { data, mutate } = useSecondFactor()
  const [secret, setSecret] = useState<SecondFactorSecret>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const end = () => {
    setSecret(undefined)
    setRecoveryCodes(undefined)
    void mutate()
  }
  if (data === undefined) return null
  return (
    <TitledCard title="Login codes" id="login-codes">
      {recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} onDone={end} />
      ) : secret ? (
        <Confirm secret={secret} onOn={setRecoveryCodes} onCancel={end} />
      ) : data.isOn ? (
        <OneField
          key="off"
          text={`On, with ${count(data.recoveryCodesLeft)} recovery codes left. For a new phone or new recovery codes, turn login codes off and on again. Turning them off ends every session, this one too.`}
          field={codeField}
          action="Turn off"
          act={async (code) => {
            const { message } = await turnSecondFactorOff(code)
            toast('Success', message)
          }}
        />
      ) : (
        <OneField
          key="password"
          text="Off. When on, the login asks for a code of an authenticator app on your phone after the password, so that a stolen password alone opens nothing."
          field={{
            name: 'currentPassword',
            label: 'Your password',
            type: 'password',
            autoComplete: 'current-password',
          }}
          action="Set up"
          act={async (currentPassword) => setSecret(await startSecondFactor(currentPassword))}
        />
      )}
    </TitledCard>
  )
}

/** Asks for the code that a call needs. */
export function CodeDialog() {
  const answer = useCodeAsked()
  if (!answer) return null
  return (
    <Dialog title="Enter a login code" onClose={() => answer(false)}>
      <OneField
        text="This needs a code of your authenticator app, or a recovery code. For 15 minutes it is not asked for again."
        field={codeField}
        action="Continue"
        act={async (code) => {
          await confirmSession(code)
          answer(true)
        }}
        onCancel={() => answer(false)}
      />
    </Dialog>
  )
}

interface ConfirmProps {
  secret: SecondFactorSecret
  onOn: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

function Confirm({ secret: { factorId, secret, uri }, onOn, onCancel }: ConfirmProps) {
  return (
    <>
      <p>Scan this with your authenticator app, or type the secret into it. Then enter the code that it shows.</p>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <p className="flex flex-wrap items-center gap-2">
        <code className="wrap-anywhere">{(secret.match(/.{4}/g) ?? []).join(' ')}</code>
        <CopyButton size="small" text={secret} what="secret" />
      </p>
      <OneField
        key="confirm"
        field={codeField}
        action="Turn on"
        act={async (code) => {
          const { recoveryCodes } = await turnSecondFactorOn({ factorId, code })
          onOn(recoveryCodes)
          toast('Login codes are on', 'From now on the login asks for a code.')
        }}
        onCancel={onCancel}
      />
    </>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <Notice tone="wait" title="Save these recovery codes now">
        <p>They are shown only this once. Without your phone, each of them opens one login instead of a code.</p>
      </Notice>
      <ul aria-label="Recovery codes" className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-4 gap-y-1">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton size="small" text={codes.join('\n')} what="recovery codes" label="Copy all" />
        <Button size="small" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </>
  )
}

const codeField = { name: 'code', label: 'Login code', autoComplete: 'one-time-code' } as const

interface OneFieldProps {
  text?: string
  field: Pick<FieldProps, 'label' | 'type' | 'autoComplete'> & { name: 'code' | 'currentPassword' }
  action: string
  act: (typed: string) => Promise<void>
  onCancel?: () => void
}

function OneField({ text, field, action, act, onCancel }: OneFieldProps) {
  const { form, problems, isBusy } = useForm<(typeof field)['name']>({
    act: async (typed) => act(typed[field.name]),
    fields: { 'admin/wrong-password': 'currentPassword', 'admin/wrong-code': 'code', 'admin/too-many-codes': 'code' },
    failure: 'Error',
  })
  const id = useId()
  return (
    <form {...form} className="grid max-w-80 gap-3" noValidate>
      {text !== undefined && <p className="text-muted">{text}</p>}
      <Field id={id} {...field} inputClassName="min-h-9" error={problems[field.name]} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" pending={isBusy && 'One moment...'}>
          {action}
        </Button>
        {onCancel && (
          <Button size="small" kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
