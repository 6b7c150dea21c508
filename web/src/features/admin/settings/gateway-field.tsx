import { gatewaysOfUpi, type PaymentSettings } from '#contract/settings.ts'
import { useProviders } from '../../../api/admin.ts'
import { Select } from '../../../components/ui/field.tsx'
import { randomKey } from '../../../lib/random-key.ts'
import { providerName } from '../shared/provider-names.ts'
import { SaveState } from './setting-field.tsx'
import { useSetting } from './use-setting.ts'

/** Chooses the gateway of new UPI payments, if the shop has keys of several. Saves when chosen. */
export function GatewayField({ settings }: { settings: PaymentSettings }) {
  const { data } = useProviders()
  const setting = useSetting('upiGateway', settings)
  const open = gatewaysOfUpi.filter((name) => data?.providers.some(({ provider }) => provider === name))
  if (open.length < 2) return null
  return (
    <div className="grid content-start gap-1">
      <Select
        label="New UPI payments go to"
        options={Object.fromEntries(open.map((name) => [name, providerName(name)]))}
        value={open.find((name) => name === setting.value) ?? open[0]}
        onChange={({ currentTarget }) => {
          const value = open.find((name) => name === currentTarget.value)
          setting.save({ value, seen: settings.upiGateway, key: randomKey() })
        }}
      />
      <div className="min-h-5 text-muted">
        <SaveState {...setting} hint="What is open at the other one is still taken." />
      </div>
    </div>
  )
}
