import { gatewaysOfUpi, type PaymentSettings } from '#contract/settings.ts'
import { useProviders } from '../../api/admin.ts'
import { randomKey } from '../../lib/random-key.ts'
import { providerName } from './provider-words.ts'
import { SaveState } from './setting-field.tsx'
import { useSetting } from './use-setting.ts'

/** Which gateway takes new UPI payments, where the shop has keys of several. Saved as soon as it is chosen. */
export function GatewayField({ settings }: { settings: PaymentSettings }) {
  const { data } = useProviders()
  const setting = useSetting('upiGateway', settings)
  const open = gatewaysOfUpi.filter((name) => data?.providers.some(({ provider }) => provider === name))
  if (open.length < 2) return null
  const chosen = open.find((name) => name === setting.value) ?? open[0]
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
            onChange={() => setting.save({ value: name, seen: settings.upiGateway, key: randomKey() })}
          />
          {providerName(name)}
        </label>
      ))}
      <p id="upi-gateway-hint" className="text-muted">
        What is open at the other one is still taken.
      </p>
      <SaveState {...setting} problem={setting.refusal?.message}>
        {null}
      </SaveState>
    </fieldset>
  )
}
