import {
  averageCentsOf,
  conversionOf,
  type Figures,
  figuresFold,
  type FiguresRow,
  type Grouping,
  groupings,
} from '../../history/figures.ts'
import { millions } from '../../projections/order-words.ts'
import { flag, ofAnyOptions, oneOf } from '../command-line.ts'
import { asOf, codes, foldedTo, momentOf, reachedFacts, reachedLine, withLog } from './reading.ts'
import { count, percent, type Shown, tableOf, usd } from './table.ts'

export const analytics = ofAnyOptions({
  name: 'history analytics',
  does: 'orders placed, paid and completed, coins, revenue, refunds, conversion, average order',
  options: {
    'as-of': asOf,
    by: oneOf('WHAT', 'a row for each', groupings),
    json: flag('for programs; money in cents'),
  },
  notes: `Days and months are those of SHOP_TIME_ZONE. docs/analysts.md says what each figure means.\n\n${codes}`,
  run: async ({ 'as-of': given, by, json }) =>
    withLog(async (reading) => {
      const fold = figuresFold({ timeZone: reading.timeZone, by: by && [by] })
      const reached = await foldedTo(reading, await momentOf(reading, given), [fold])
      const [totals, rows] = [fold.totals(), by ? fold.rows(by) : []]
      if (json) {
        const facts = { asOf: reachedFacts(reached), by: by ?? null }
        const answer = { ...facts, totals: withShares(totals), rows: rows.map(withShares) }
        await reading.say(`${JSON.stringify(answer, undefined, 2)}\n`)
      } else
        await reading.say(`${reachedLine(reached)}\n\n${tableOf(columnsBy(by), [...rows, { key: 'all', ...totals }])}`)
      return 0
    }),
})

function withShares<Row extends Figures>(row: Row) {
  return { ...row, conversion: conversionOf(row), averageCents: averageCentsOf(row) }
}

export const figureColumns: readonly Shown<Figures>[] = [
  { title: 'placed', of: ({ placed }) => count(placed), isNumber: true },
  { title: 'paid', of: ({ paid }) => count(paid), isNumber: true },
  { title: 'conversion', of: (row) => percent(conversionOf(row)), isNumber: true },
  { title: 'completed', of: ({ completed }) => count(completed), isNumber: true },
  { title: 'coins', of: ({ coinsM }) => millions(coinsM), isNumber: true },
  { title: 'revenue', of: ({ revenueCents }) => usd(revenueCents), isNumber: true },
  { title: 'refunded', of: ({ refundedCents }) => usd(refundedCents), isNumber: true },
  { title: 'average', of: (row) => usd(averageCentsOf(row)), isNumber: true },
]

function columnsBy(by: Grouping | undefined): readonly Shown<FiguresRow>[] {
  return [{ title: by ?? '', of: ({ key }) => keyText(key, by) }, ...figureColumns]
}

function keyText(key: string, by: Grouping | undefined): string {
  if (key === 'all') return key
  if (by === 'pack') return millions(Number(key))
  return by === 'discount' ? `${key} %` : key
}
