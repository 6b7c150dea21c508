import { attentionReasons } from '../../domain/order/events.ts'
import { receivedCents, statusesOf } from '../../domain/order/order-state.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { shopAsOf } from '../../history/shop-as-of.ts'
import { type OrderListQuery, pageOfOrders } from '../../projections/order-list.ts'
import { type OrderDocument, ordersProjection } from '../../projections/orders.ts'
import { millions } from '../../projections/order-words.ts'
import { flag, ofAnyOptions, oneOf } from '../command-line.ts'
import {
  asOf,
  assertBegunBy,
  codes,
  fromTime,
  momentOf,
  progressText,
  reachedLine,
  timesOf,
  toTime,
  withLog,
} from './reading.ts'
import { tablesOf, usd } from './table.ts'

const PAGE = 100

export const orders = ofAnyOptions({
  name: 'history orders',
  does: 'the list of orders, newest first',
  options: {
    'as-of': asOf,
    status: oneOf('STATUS', 'only these', ['pending', 'completed', 'failed']),
    method: oneOf('METHOD', 'only these', paymentMethods),
    attention: oneOf('CAUSE', 'only these that need a person', ['any', ...attentionReasons]),
    from: fromTime,
    to: toTime,
    json: flag('a JSON line for each, for programs; money in cents'),
  },
  notes: `--from and --to are times of placing. Deleted orders are listed while they need a person, as on the dashboard.\n\n${codes}`,
  run: async ({ 'as-of': given, status, method, attention, json, ...span }) =>
    withLog(async (reading) => {
      const { store, show, say } = reading
      const placed = timesOf(reading, span)
      const moment = await momentOf(reading, given)
      await assertBegunBy(reading, moment, { from: span.from, 'as-of': given })
      const shop = await shopAsOf({
        store,
        moment,
        projections: [ordersProjection],
        onProgress: (reached) => show(progressText(reached)),
      })
      try {
        const filters: Omit<OrderListQuery, 'limit'> = {
          created: { from: placed.from, below: placed.before },
          ...(status && { status }),
          ...(method && { method }),
          ...(attention && { attention }),
        }
        const table = tablesOf(columns)
        if (!json) await say(`${reachedLine(shop.reached)}\n\n`)
        let cursor: string | undefined
        do {
          const page = await pageOfOrders(shop.views, {
            ...filters,
            limit: PAGE,
            ...(cursor !== undefined && { cursor }),
          })
          await say(
            json ? page.orders.map((order) => `${JSON.stringify(factsOf(order))}\n`).join('') : table(page.orders),
          )
          cursor = page.next ?? undefined
        } while (cursor !== undefined)
        return 0
      } finally {
        await shop.close()
      }
    }),
})

function factsOf({ order, orderId, reasons, isDeleted, method }: OrderDocument) {
  const { orderNumber, at: placedAt, quantityM, discountPercent, totalCents } = order.placed
  return {
    orderId,
    orderNumber,
    placedAt,
    ...statusesOf(order),
    method,
    quantityM,
    discountPercent,
    totalCents,
    receivedCents: receivedCents(order),
    isDeleted,
    attention: reasons,
  }
}

const columns = [
  { title: 'number', of: ({ order }: OrderDocument) => order.placed.orderNumber },
  { title: 'placed', of: ({ createdAt }: OrderDocument) => createdAt },
  { title: 'status', of: ({ status, isDeleted }: OrderDocument) => (isDeleted ? 'deleted' : status) },
  { title: 'payment', of: ({ order }: OrderDocument) => statusesOf(order).paymentStatus },
  { title: 'method', of: ({ method }: OrderDocument) => method ?? '-' },
  { title: 'coins', of: ({ order }: OrderDocument) => millions(order.placed.quantityM), isNumber: true },
  { title: 'total', of: ({ order }: OrderDocument) => usd(order.placed.totalCents), isNumber: true },
  { title: 'received', of: ({ order }: OrderDocument) => usd(receivedCents(order)), isNumber: true },
  { title: 'needs', of: ({ reasons }: OrderDocument) => reasons.join(' ') },
]
