import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import type { Response } from 'express'
import type { Api } from '../api.ts'
import type { Order } from '../contract/order.ts'
import type { OrderExportQuery } from '../contract/order-list.ts'
import { orderViews } from './order-answers.ts'

const ORDERS_AT_ONCE = '100'

/** What the list shows of an order, in this order. */
const columns: Readonly<Record<string, (order: Order) => string | number>> = {
  order: ({ orderNumber }) => orderNumber,
  customerEmail: (order) => order.customerEmail,
  discordUsername: (order) => order.discordUsername,
  marketIds: ({ marketIds }) => marketIds.map(({ marketId, amount }) => `${marketId}: ${amount}`).join('; '),
  pokecoinsM: ({ pokecoinAmount }) => pokecoinAmount,
  totalUsd: ({ totalAmount }) => totalAmount,
  paymentMethod: ({ paymentMethod }) => paymentMethod ?? '',
  status: (order) => order.status,
  paymentStatus: (order) => order.paymentStatus,
  endedAs: ({ endedAs }) => endedAs ?? '',
  attention: ({ attention }) => attention?.reasons.join('; ') ?? '',
  refundedUsd: ({ refundedCents }) => (refundedCents / 100).toFixed(2),
  deleted: ({ deleted }) => String(deleted),
  createdAt: ({ createdAt }) => createdAt,
}

type Page = readonly Order[]

/** The first page of a list, read before anything is answered, and the others as they are asked for. */
export async function exportedOrders(api: Pick<Api, 'shop' | 'views'>, query: OrderExportQuery) {
  const read = async (cursor?: string) => {
    const { orders, next } = await api.views.listOrders({
      ...query,
      limit: ORDERS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    })
    return { orders: await orderViews(api, orders), next }
  }
  const first = await read()
  return async function* pages(): AsyncGenerator<Page> {
    for (let page = first; ; page = await read(page.next)) {
      yield page.orders
      if (page.next === null) return
    }
  }
}

/** Ends with the connection, or breaks it where a later page cannot be read: half a file must not look whole. */
export async function sendCsv(response: Response, pages: () => AsyncGenerator<Page>, day: string): Promise<void> {
  response.type('text/csv').attachment(`orders-${day}.csv`)
  // Spreadsheets know UTF-8 by its mark, and take texts that begin with `=` and the like for formulas.
  const csv = stringify({ header: true, columns: Object.keys(columns), bom: true, escape_formulas: true })
  await pipeline(
    async function* rows() {
      for await (const orders of pages())
        for (const order of orders) yield Object.values(columns).map((cell) => cell(order))
    },
    csv,
    response,
  )
}
