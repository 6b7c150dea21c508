import { pipeline } from 'node:stream/promises'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify'
import type { Response } from 'express'
import { TryAgain } from '../../ports/try-again.ts'
import type { Api } from '../api.ts'
import type { ViewsAt } from '../as-of/views-at.ts'
import type { Order } from '../contract/order.ts'
import type { OrderExportQuery } from '../contract/order-list.ts'
import { orderViews } from './order-answers.ts'

const ORDERS_AT_ONCE = '100'

interface Unquoted {
  readonly unquoted: string
}

const unquoted = (text: string): Unquoted => ({ unquoted: text })

/** What the list shows of an order, in this order. Texts stand in quotes, by which a spreadsheet can tell them from amounts and times. */
const columns: Readonly<Record<string, (order: Order) => string | number | Unquoted>> = {
  order: ({ orderNumber }) => orderNumber,
  customerEmail: (order) => order.customerEmail,
  discordUsername: (order) => order.discordUsername,
  marketIds: ({ marketIds }) => marketIds.map(({ marketId, amount }) => `${marketId}: ${amount}`).join('; '),
  pokecoinsM: ({ pokecoinAmount }) => pokecoinAmount,
  totalUsd: ({ totalAmount }) => unquoted(totalAmount),
  paymentMethod: ({ paymentMethod }) => paymentMethod ?? '',
  status: (order) => order.status,
  paymentStatus: (order) => order.paymentStatus,
  endedAs: ({ endedAs }) => endedAs ?? '',
  attention: ({ attention }) => attention?.reasons.join('; ') ?? '',
  refundedUsd: ({ refundedCents }) => unquoted((refundedCents / 100).toFixed(2)),
  deleted: ({ deleted }) => unquoted(String(deleted)),
  createdAt: ({ createdAt }) => unquoted(createdAt),
}

type Page = readonly Order[]

type ListQuery = Omit<OrderExportQuery, 'asOf'>

/** Each reads a whole list, which buyers' requests wait beside. */
const EXPORTS_AT_ONCE = 2
/** A connection that takes nothing for so long gives its place to others. */
const STALLED_MS = 60_000

/** As many exports are running as this process bears. */
export class ExportsBusy extends TryAgain {
  override readonly name = 'ExportsBusy'
  readonly code = 'exports-busy'
}

/** Answers with the rows. Rejects where a later page cannot be read; the connection is broken then, since half a file must not look whole. */
export type SendExport = (response: Response, name: string) => Promise<void>

/** Begins an export with its first page, before anything is answered. Throws `ExportsBusy`. The place is free again once the answer is sent, or cannot be. */
export function orderExports(
  api: Pick<Api, 'shop'>,
  { stalledMs = STALLED_MS } = {},
): (at: ViewsAt, query: ListQuery) => Promise<SendExport> {
  let running = 0
  return async (at, query) => {
    if (running >= EXPORTS_AT_ONCE) throw new ExportsBusy(`${running} exports are running`)
    running += 1
    try {
      const pages = await pagesOf(api, at, query)
      return async (response, name) => {
        try {
          await sendCsv(response, pages, { name, stalledMs })
        } finally {
          running -= 1
        }
      }
    } catch (error) {
      running -= 1
      throw error
    }
  }
}

async function pagesOf(
  api: Pick<Api, 'shop'>,
  { views, past }: ViewsAt,
  query: ListQuery,
): Promise<AsyncGenerator<Page>> {
  const read = async (cursor?: string) => {
    const { orders, next } = await views.pageOfOrders({
      ...query,
      limit: ORDERS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    })
    return { orders: await orderViews(api, orders, { isPast: past !== undefined }), next }
  }
  const first = await read()
  async function* pages(): AsyncGenerator<Page> {
    for (let page = first; ; page = await read(page.next)) {
      yield page.orders
      if (page.next === null) return
      await othersTurn()
    }
  }
  return pages()
}

async function sendCsv(
  response: Response,
  pages: AsyncGenerator<Page>,
  { name, stalledMs }: { name: string; stalledMs: number },
): Promise<void> {
  response.type('text/csv').attachment(`orders-${name}.csv`)
  response.setTimeout(stalledMs, () => response.destroy())
  // Spreadsheets know UTF-8 by its mark, and take texts that begin with `=` and the like for formulas.
  const csv = stringify({
    header: true,
    columns: Object.keys(columns),
    bom: true,
    escape_formulas: true,
    quoted_string: true,
    quoted_empty: false,
    cast: { object: ({ unquoted }) => String(unquoted) },
  })
  const rows = async function* rows() {
    for await (const orders of pages)
      for (const order of orders) yield Object.values(columns).map((cell) => cell(order))
  }
  await pipeline(rows, csv, response).catch((error: unknown) => {
    if (!isOfConnection(error)) throw error
  })
}

const connectionCodes = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']

/** The connection has ended before the rows. */
function isOfConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && connectionCodes.some((code) => code === error.code)
}
