import type { SettingsChange } from '#contract/settings.ts'
import type { ShopForStaff } from '#contract/shop.ts'
import Circle from 'lucide:circle'
import CircleCheck from 'lucide:circle-check'
import { Link } from 'react-router-dom'
import { mutate } from 'swr'
import { changeSettings, refreshStaff, useShopForStaff } from '../../../api/admin.ts'
import { settingsKey, useSettings } from '../../../api/settings.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { useAction } from '../../../components/ui/use-action.ts'
import { millions } from '../../../lib/format.ts'

type Tick = keyof ShopForStaff['firstDay']

const ticks: Readonly<Record<Tick, readonly [name: string, to: string, text: string]>> = {
  price: ['Price and stock', '/admin/settings#price', ''],
  seller: ['What is sold, and who sells it', '/admin/settings#sold', 'Game, coins, and your name.'],
  contact: ['How buyers reach you', '/admin/settings#contacts', 'A Discord link or an e-mail address.'],
  payments: ['Payment keys', '/admin/settings#providers', 'Set at the server. Done once each has sent a webhook.'],
  password: ['Your own password', '/admin/settings#password', 'In place of the first one.'],
  order: ['A test order', '/purchase', 'Buy 1M, as a buyer does.'],
}
const names = Object.keys(ticks) as Tick[]

interface FirstDayProps {
  isListed: boolean
  /** The list leads until there is an order, then it stands below. */
  isBelow?: boolean
}

/** What is to do before the first buyer comes, and on every tab the opening price, while strangers pay it. */
export function FirstDay({ isListed, isBelow = false }: FirstDayProps) {
  const shop = useShopForStaff().data
  const settings = useSettings().data
  if (shop === undefined || settings === undefined) return null
  const { firstDay: done, isDismissed, isOpeningPriceOnSale } = shop
  const offer = `${millions(settings.currentStock)} at $${settings.basePricePerMillion.toFixed(2)} per million.`
  const price = isOpeningPriceOnSale ? `The opening price is on sale: ${offer}` : `Now ${offer}`
  const doneCount = names.filter((name) => done[name]).length
  return (
    <>
      {isOpeningPriceOnSale && !isBelow && (
        <Notice tone="wait" role="status">
          <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <strong className="flex-1 basis-60">{price}</strong>
            <Link className="link" to={ticks.price[1]}>
              Change price and stock
            </Link>
            <Save change={{ priceConfirmed: true }}>Confirm price</Save>
          </p>
        </Notice>
      )}
      {isListed && !isDismissed && doneCount < names.length && done.order === isBelow && (
        <section aria-labelledby="first-day" className="grid gap-3 rounded-surface border border-line bg-surface p-4">
          <h2 id="first-day" className="text-base">{`The first day: ${doneCount} of ${names.length} done`}</h2>
          <ol className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {names.map((name) => {
              const [title, to, text] = ticks[name]
              const Icon = done[name] ? CircleCheck : Circle
              return (
                <li key={name} className="flex items-start gap-2.5 border-t border-line py-2">
                  <Icon className={`mt-0.5 size-5 flex-none ${done[name] ? 'text-green' : 'text-edge'}`} />
                  <div className="min-w-0 flex-1">
                    <Link className="link font-semibold" to={to}>
                      {title} <span className="sr-only">({done[name] ? 'done' : 'to do'})</span>
                    </Link>
                    {!done[name] && <p className="text-muted">{name === 'price' ? price : text}</p>}
                  </div>
                  {name === 'price' && !done.price && !isOpeningPriceOnSale && (
                    <Save change={{ priceConfirmed: true }}>Confirm price</Save>
                  )}
                </li>
              )
            })}
          </ol>
          <Save change={{ firstDayDismissed: true }}>Dismiss this list</Save>
        </section>
      )}
    </>
  )
}

function Save({ change, children }: { change: SettingsChange; children: string }) {
  const { run, isBusy } = useAction(async () => {
    await mutate(settingsKey, await changeSettings(change, {}), { revalidate: false })
    refreshStaff()
  }, 'Error')
  return (
    <Button size="small" className="justify-self-start" pending={isBusy && 'Saving...'} onClick={run}>
      {children}
    </Button>
  )
}
