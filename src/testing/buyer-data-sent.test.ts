import { expect, it } from 'vitest'
import type { GatewayName } from '../domain/payment-methods.ts'
import { placedBy } from './orders.ts'
import { PHONE, startProviderShop } from './start-provider-shop.ts'

const buyer = { customerEmail: 'ash.ketchum@pallet.example', discordUsername: 'pikachufan', marketId: '87654321' }
const dataOfBuyer = [...Object.values(buyer), 'pallet.example', PHONE]

interface Provider {
  readonly pays: string
  /** Everything that the provider is told of the buyer: the call, and the field. */
  readonly isTold: readonly string[]
}

const providers: Readonly<Record<GatewayName, Provider>> = {
  nowpayments: { pays: 'pay', isTold: [] },
  paypal: { pays: 'approve', isTold: [] },
  upigateway: {
    pays: 'pay',
    isTold: [
      '/api/create_order customer_email',
      '/api/create_order customer_mobile',
      '/api/create_order customer_name',
    ],
  },
  cashfree: { pays: 'pay', isTold: ['/pg/orders customer_details.customer_phone'] },
}

it.for(Object.entries(providers))('%s gets only the buyer data that it needs', async ([name, { pays, isTold }]) => {
  const shop = await startProviderShop(name as GatewayName)
  try {
    const orderId = await placedBy(shop, buyer)
    shop.double.fail({ answer: 'lost', on: 'create' })
    expect((await shop.create(orderId)).status).toBe(503)
    // The provider is given a pause after the failure.
    shop.advance(2_000)
    expect((await shop.create(orderId)).status).toBe(200)
    const body = JSON.stringify({ do: pays })
    await fetch(`${shop.double.origin}/control/payments/latest`, { method: 'POST', body })
    await shop.work(orderId)
    expect((await shop.get(`/api/orders/${orderId}`)).body['paymentStatus']).toBe('completed')
    expect(shop.double.calls.length).toBeGreaterThan(3)
    const told = shop.double.calls.flatMap(({ path, body: sent, headers }) => {
      const call = path.split('?')[0] ?? ''
      const fields = { path, headers, body: fieldsIn(sent) }
      return namesOfBuyer(fields).map((name) => `${call} ${name.replace(/^body\./, '')}`)
    })
    expect([...new Set(told)].toSorted()).toEqual(isTold)
  } finally {
    await shop.stop()
  }
})

/** JSON or a form. */
function fieldsIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

/** The fields whose value holds data of the buyer. */
function namesOfBuyer(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => namesOfBuyer(inner, name === '' ? key : `${name}.${key}`))
  const text = decodeURIComponent(String(value)).toLowerCase()
  return dataOfBuyer.some((data) => text.includes(data)) ? [name] : []
}
