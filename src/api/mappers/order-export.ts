import { pipeline } from 'node:stream/promises'
import { setImmediate as yieldToOtherRequests } from 'node:timers/promises'
import { stringify } from 'csv-stringify'
import { byBuyerText } from '../../domain/order/buyer-texts.ts'
import type { Answer } from '../http/route.ts'
import type { Order } from '../contract/order.ts'
import { csvText } from '../../ports/csv-text.ts'

/** The columns. Quotes let a spreadsheet tell texts from amounts. */
const columns: Readonly<Record<string, (order: Order) => string | number>> = {
  order: ({ orderNumber }) => orderNumber,
  ...byBuyerText((name) => (order: Order) => order[name]),
  marketIds: ({ marketIds }) => marketIds.map(({ marketId, amount }) => `${marketId}: ${amount}`).join('; '),
  pokecoinsM: ({ pokecoinAmount }) => pokecoinAmount,
  totalUsd: ({ totalAmount }) => Number(totalAmount),
  paymentMethod: ({ paymentMethod }) => paymentMethod ?? '',
  status: (order) => order.status,
  paymentStatus: (order) => order.paymentStatus,
  endedAs: ({ endedAs }) => endedAs ?? '',
  attention: ({ attention }) => attention?.reasons.join('; ') ?? '',
  refundedUsd: ({ refundedCents }) => refundedCents / 100,
  deleted: ({ deleted }) => String(deleted),
  createdAt: (order) => order.createdAt,
}

const names = Object.keys(columns)

interface Page {
  readonly orders: readonly Order[]
  readonly next: string | null
}

/** A file of all pages. The first page is read before the response starts; if a later one fails, the connection breaks, since half a file must not look whole. */
export async function csvOf(read: (cursor?: string) => Promise<Page>, name: string): Promise<Answer<never>> {
  const first = await read()
  async function* rows() {
    for (let page = first; ; page = await read(page.next)) {
      for (const order of page.orders) yield Object.values(columns).map((cell) => cell(order))
      if (page.next === null) return
      await yieldToOtherRequests()
    }
  }
  return {
    async stream(response) {
      response.type('text/csv').attachment(`orders-${name}.csv`)
      // Spreadsheets detect UTF-8 by its BOM, and run texts that begin with `=` and the like as formulas.
      const csv = stringify({
        header: true,
        columns: names,
        bom: true,
        // Not quoted: amounts of money have two decimals.
        cast: {
          string: csvText,
          number: (value, { index }) => (names[index]?.endsWith('Usd') ? value.toFixed(2) : String(value)),
        },
        escape_formulas: true,
        quoted_string: true,
        quoted_empty: false,
      })
      await pipeline(rows, csv, response).catch((error: unknown) => {
        if (!isDisconnect(error)) throw error
      })
    },
  }
}

const connectionCodes = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']

/** The connection closed before the last row. */
function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && connectionCodes.some((code) => code === error.code)
}
