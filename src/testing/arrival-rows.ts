import { readFileSync } from 'node:fs'
import type { TestShop } from './start-shop.ts'

/** A row of docs/payments.md. */
export interface ArrivalRow {
  readonly arrives: string
  readonly events: string
  readonly buyer: string
  readonly staffSee: string
  readonly staffCan: string
}

const page = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')

/** The table below a heading. */
export function arrivalRows(heading: string): ArrivalRow[] {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)]
    .map(([, arrives = '', events = '', buyer = '', staffSee = '', staffCan = '']): ArrivalRow => {
      return { arrives, events, buyer, staffSee, staffCan }
    })
    .filter(({ arrives }) => arrives !== 'money arrives' && !/^-+$/.test(arrives))
}

/** What became of an order, as its row says it. */
export async function arrivalRow(
  shop: Pick<TestShop, 'eventsOf' | 'get' | 'logIn'>,
  arrives: string,
  orderId: string,
): Promise<ArrivalRow> {
  const types = (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)
  const events = types.filter((type) => !['OrderPlaced', 'PaymentRequested', 'PaymentStarted'].includes(type))
  const { body } = await shop.get(`/api/orders/${orderId}`, { token: await shop.logIn() })
  const { reasons = [] } = (body['attention'] ?? {}) as { reasons?: string[] }
  const can = Object.entries(body['may'] as Record<string, boolean>).filter(([, isAllowed]) => isAllowed)
  const staffCan = can.map(([what]) => what).filter((what) => what !== 'pay' && what !== 'requote')
  return {
    arrives,
    events: events.join(', ') || '-',
    buyer: [body['status'], body['paymentStatus'], ...(body['endedAs'] === 'refunded' ? ['refunded'] : [])].join(', '),
    staffSee: reasons.join(', ') || '-',
    staffCan: staffCan.join(', ') || '-',
  }
}
