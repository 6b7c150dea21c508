import type { MethodStates, PaymentSettings } from '#contract/settings.ts'
import { Link, useLocation } from 'react-router-dom'
import { useMethodStates } from '../../api/admin.ts'
import { useSettings } from '../../api/settings.ts'
import { Loaded, StaleNote } from '../../components/ui/loaded.tsx'
import { methodNames, methods } from '../../payment-methods.ts'
import { Card } from './card.tsx'
import { PasswordForm } from './password-form.tsx'
import { GatewayField } from './gateway-field.tsx'
import { ProviderKeys } from './provider-keys.tsx'
import { SettingHistory } from './setting-history.tsx'
import { ProductsPanel } from './products-panel.tsx'
import { NumberField, SwitchField } from './setting-field.tsx'
import type { NumberRule } from './setting-drafts.ts'

const percent: NumberRule = { min: 0, max: 100, decimals: 0 }
const stockAndPrice = [
  {
    name: 'currentStock',
    label: 'Current stock',
    unit: 'M',
    hint: 'What can still be bought.',
    rule: { min: 0, max: 1_000_000_000, decimals: 0 },
  },
  {
    name: 'basePricePerMillion',
    label: 'Base price per million',
    unit: '$',
    hint: 'Before any discount.',
    rule: { min: 0.01, max: 1000, decimals: 2 },
  },
  { name: 'bulkDiscountPercent', label: 'Bulk discount', unit: '%', hint: 'Off every order.', rule: percent },
] as const
const packColumns = [
  { name: 'Amount', unit: 'M', rule: { min: 1, max: 50_000, decimals: 0 } },
  { name: 'Discount', unit: '%', rule: percent },
] as const
const packs = [1, 2, 3, 4, 5, 6] as const

const parts = [
  { name: 'Shop', to: '/admin/settings' },
  { name: 'Products', to: '/admin/products' },
]

export function SettingsPanel() {
  const { pathname } = useLocation()
  const isProducts = pathname.startsWith('/admin/products')
  return (
    <section aria-labelledby="settings-heading" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="settings-heading" className="text-lg">
          {isProducts ? 'Products' : 'Shop Settings'}
        </h2>
        <nav aria-label="Settings">
          <ul className="flex gap-1 rounded-control border border-line bg-sunk p-1">
            {parts.map(({ name, to }) => (
              <li key={name}>
                <Link
                  to={to}
                  replace
                  aria-current={pathname.startsWith(to) ? 'page' : undefined}
                  className="flex min-h-8 items-center rounded-[7px] px-4 text-muted hover:text-ink aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:text-ink"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {isProducts ? <ProductsPanel /> : <ShopSettings />}
    </section>
  )
}

function ShopSettings() {
  const answer = useSettings()
  return (
    <Loaded answer={answer} loading="Loading settings..." failure="Settings could not be loaded">
      {(settings) => (
        <>
          <div>
            <p className="text-muted">
              Each field saves by itself when you leave it or press Enter. Escape puts back what was there.
            </p>
            <StaleNote error={answer.error} />
          </div>
          <Fields settings={settings} />
        </>
      )}
    </Loaded>
  )
}

function Fields({ settings }: { settings: PaymentSettings }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Card title="Stock and price">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))] gap-x-4 gap-y-3">
          {stockAndPrice.map((field) => (
            <NumberField key={field.name} {...field} settings={settings} />
          ))}
        </div>
      </Card>
      <Card title="Payment methods and pre-orders">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-x-4 gap-y-1">
          {methods.map((method) => (
            <MethodSwitch key={method} method={method} settings={settings} />
          ))}
          <GatewayField settings={settings} />
          <SwitchField
            name="preOrdersEnabled"
            label="Pre-orders"
            hint="Sell above the stock, deliver later."
            settings={settings}
          />
        </div>
      </Card>
      <Card title="Discount packs">
        <p className="text-muted">
          An order gets the discount of the highest-numbered pack whose amount it reaches, on top of the bulk discount.
        </p>
        <div className="grid grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)] gap-x-3 gap-y-0.5 sm:gap-x-4">
          <span aria-hidden="true" />
          {packColumns.map(({ name }) => (
            <span key={name} aria-hidden="true" className="text-muted">
              {name}
            </span>
          ))}
          {packs.map((pack) => (
            <div key={pack} role="group" aria-label={`Pack ${pack}`} className="contents">
              <span className="pt-2 font-medium whitespace-nowrap">Pack {pack}</span>
              {packColumns.map(({ name, unit, rule }) => (
                <NumberField
                  key={name}
                  name={`pack${pack}${name}`}
                  label={`Pack ${pack} ${name.toLowerCase()}`}
                  isLabelHidden
                  unit={unit}
                  rule={rule}
                  settings={settings}
                />
              ))}
            </div>
          ))}
        </div>
      </Card>
      <ProviderKeys />
      <Card title="Password">
        <PasswordForm />
      </Card>
      <SettingHistory />
    </div>
  )
}

/** A method that is on and cannot take money says so here: buyers are not offered it. */
function MethodSwitch({ method, settings }: { method: keyof MethodStates; settings: PaymentSettings }) {
  const { data } = useMethodStates()
  const name = `${method}Enabled` as const
  const reason = data?.[method] ?? undefined
  return (
    <SwitchField
      name={name}
      label={methodNames[method]}
      hint={reason !== undefined && settings[name] ? `On, but ${reason}.` : undefined}
      isWarning
      settings={settings}
    />
  )
}
