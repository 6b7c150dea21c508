import { gatewaysOfUpi, type PaymentSettings } from '#contract/settings.ts'
import { useState } from 'react'
import { useProviders } from '../../api/admin.ts'
import { randomKey } from '../../lib/random-key.ts'
import { providerName } from './provider-words.ts'
import { failureOf, type Saved, saveSetting } from './save-setting.ts'
import { State, type SwitchState } from './setting-field.tsx'

type Gateway = (typeof gatewaysOfUpi)[number]

/** Which gateway takes new UPI payments, where the shop has keys of several. Saves as soon as it is chosen. */
export function GatewayField({ settings }: { settings: PaymentSettings }) {
  const { data } = useProviders()
  const [state, setState] = useState<SwitchState>({ is: 'idle' })
  const [tried, setTried] = useState<Gateway>()
  const open = gatewaysOfUpi.filter((name) => data?.providers.some(({ provider }) => provider === name))
  if (open.length < 2) return null
  const saved = open.find((name) => name === settings.upiGateway) ?? open[0]
  const chosen = state.is === 'saving' ? tried : saved
  const save = async (value: Gateway) => {
    if (state.is === 'saving') return
    setTried(value)
    setState({ is: 'saving' })
    try {
      const seen = { seen: settings.upiGateway, seenRevision: settings.revision }
      const saved = await saveSetting({ name: 'upiGateway', value, ...seen, editKey: randomKey() }, () => settings)
      setState(stateAfter(saved, Date.now()))
    } catch (error) {
      setState({ is: 'not-saved', message: failureOf(error) })
    }
  }
  return (
    <fieldset className="grid content-start gap-1" aria-describedby="upi-gateway-hint">
      <legend className="font-medium">New UPI payments go to</legend>
      {open.map((name) => (
        <label key={name} className="flex min-h-9 items-center gap-3">
          <input
            type="radio"
            name="upiGateway"
            className="size-5 accent-green"
            checked={name === chosen}
            onChange={() => void save(name)}
          />
          {providerName(name)}
        </label>
      ))}
      <p id="upi-gateway-hint" className="text-muted">
        What is open at the other one is still taken.
      </p>
      <State state={state} onRetry={() => tried !== undefined && void save(tried)} />
    </fieldset>
  )
}

export function stateAfter(saved: Saved, at: number): SwitchState {
  if (saved.is === 'saved') return { is: 'saved', at }
  return { is: 'not-saved', message: `Not saved: it was set to ${providerName(String(saved.theirs))} meanwhile.` }
}
