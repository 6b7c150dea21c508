import { gatewaysOfUpi, type MethodStates, type PaymentSettings } from '#contract/settings.ts'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useMethodStates, useProviders, useShopForStaff } from '../../../api/admin.ts'
import { useKnownSettings, useSettings } from '../../../api/settings.ts'
import { Loaded, StaleNote } from '../../../components/ui/loaded.tsx'
import { methods } from '../../../method-words.ts'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { EraseForm } from './erase-form.tsx'
import { SettingHistoryCard } from './setting-history.tsx'
import { ProductsPanel } from './products-panel.tsx'
import { SaveState, SettingField, SwitchField } from './setting-field.tsx'
import { stockAndPrice } from './setting-fields.ts'
import { Select } from '../../../components/ui/field.tsx'
import { randomKey } from '../../../lib/random-key.ts'
import { providerName } from '../shared/provider-names.ts'
import { useSetting } from './use-setting.ts'
import type { ShopTextName } from '#contract/shop-words.ts'

const parts = [
  { name: 'Shop', to: '/admin/settings' },
  { name: 'Products', to: '/admin/products' },
]

const packs = [1, 2, 3, 4, 5, 6] as const

/** `children` are more cards of settings. */
export function SettingsPanel({ children }: { children: ReactNode }) {
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
      {isProducts ? <ProductsPanel /> : <ShopSettings>{children}</ShopSettings>}
    </section>
  )
}

function ShopSettings({ children }: { children: ReactNode }) {
  const response = useSettings()
  return (
    <Loaded response={response} loading="Loading settings..." failure="Settings could not be loaded">
      {(settings) => (
        <>
          <div>
            <p className="text-muted">
              Each field saves by itself when you leave it or press Enter. Escape puts back what was there.
            </p>
            <StaleNote error={response.error} />
          </div>
          <div className="-mb-4 gap-4 lg:columns-2 [&>section]:mb-4 [&>section]:break-inside-avoid">
            <TitledCard title="Stock and price" id="price">
              <div className="grid grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))] gap-x-4 gap-y-3">
                {stockAndPrice.map((name) => (
                  <SettingField key={name} name={name} settings={settings} />
                ))}
              </div>
            </TitledCard>
            <TitledCard title="Payment methods and pre-orders">
              <div className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-x-4 gap-y-1">
                {methods.map((method) => (
                  <MethodSwitch key={method} method={method} settings={settings} />
                ))}
                <GatewayField settings={settings} />
                <SwitchField name="preOrdersEnabled" hint="Sell above the stock, deliver later." settings={settings} />
              </div>
            </TitledCard>
            <TitledCard title="Discount packs">
              <p className="text-muted">
                An order gets the discount of the highest-numbered pack whose amount it reaches, on top of the bulk
                discount.
              </p>
              <div className="grid grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)] gap-x-3 gap-y-0.5 sm:gap-x-4">
                <span aria-hidden="true" />
                {['Amount', 'Discount'].map((name) => (
                  <span key={name} aria-hidden="true" className="text-muted">
                    {name}
                  </span>
                ))}
                {packs.map((pack) => (
                  <div key={pack} role="group" aria-label={`Pack ${pack}`} className="contents">
                    <span className="pt-2 font-medium whitespace-nowrap">Pack {pack}</span>
                    <SettingField name={`pack${pack}Amount`} isLabelHidden settings={settings} />
                    <SettingField name={`pack${pack}Discount`} isLabelHidden settings={settings} />
                  </div>
                ))}
              </div>
            </TitledCard>
            <SettingHistoryCard />
            <ShopTexts />
            {children}
            <TitledCard title="Erase a person">
              <EraseForm />
            </TitledCard>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** Warns if a method is on but cannot take money, and so is not offered to buyers. */
function MethodSwitch({ method, settings }: { method: keyof MethodStates; settings: PaymentSettings }) {
  const { data } = useMethodStates()
  const name = `${method}Enabled` as const
  const reason = data?.[method] ?? undefined
  const warning = reason !== undefined && settings[name] ? `On, but ${reason}.` : undefined
  return <SwitchField name={name} warning={warning} settings={settings} />
}

/** Chooses the gateway of new UPI payments, if the shop has keys of several. Saves when chosen. */
function GatewayField({ settings }: { settings: PaymentSettings }) {
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

const cards: readonly { title: string; id: string; text: string; names: readonly ShopTextName[] }[] = [
  {
    title: 'What is sold, and who sells it',
    id: 'sold',
    text: 'The name, the game and the coins are shown on every page; the seller only to the buyer of an order.',
    names: ['shopName', 'gameName', 'coinName', 'sellerName', 'sellerAddress', 'sellerTaxNumber', 'sellerLine'],
  },
  {
    title: 'How buyers reach you',
    id: 'contacts',
    text: 'Shown to every visitor. Set at least one.',
    names: ['discordDmUrl', 'discordServerUrl', 'supportEmail'],
  },
]

/** An empty text shows what counts in its place. */
function ShopTexts() {
  const settings = useKnownSettings()
  const otherwise = useShopForStaff().data?.otherwise
  // Once they are loaded as staff read them.
  if (settings?.shopName === undefined) return null
  return cards.map(({ title, id, text, names }) => (
    <TitledCard key={id} title={title} id={id}>
      <p className="text-muted">{text} Each change is kept in the clear, for ever.</p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-x-4 gap-y-1">
        {names.map((name) => (
          <SettingField key={name} name={name} placeholder={otherwise?.[name] ?? undefined} settings={settings} />
        ))}
      </div>
    </TitledCard>
  ))
}
