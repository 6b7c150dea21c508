import { isNothingBetween } from '../../history/moment.ts'
import { averageCentsOf, conversionOf, type Figures, figuresFold } from '../../history/figures.ts'
import { settingsFold } from '../../history/settings-changes.ts'
import type { Reached } from '../../projections/past-views.ts'
import { stockFold } from '../../history/stock-days.ts'
import { millions } from '../../projections/order-words.ts'
import { flag, ofAnyOptions, UsageError } from '../command-line.ts'
import { changeColumns } from './settings.ts'
import { codes, foldedTo, momentOf, reachedFacts, reachedLine, withLog } from './reading.ts'
import { count, percent, tableOf, usd } from './table.ts'

export const diff = ofAnyOptions({
  name: 'history diff',
  does: 'what changed between two moments in revenue, orders, stock and settings',
  operands: ['T1', 'T2'],
  options: { json: flag('for programs; money in cents') },
  notes: `T is a day (its end in SHOP_TIME_ZONE), a moment with its zone, or a position; T1 is the earlier one.\n\n${codes}`,
  run: async ({ json }, [first = '', second = '']) =>
    withLog(async (reading) => {
      const { timeZone } = reading
      const [earlier, later] = [await momentOf(reading, first), await momentOf(reading, second)]
      if (!(await isNothingBetween(reading.store, later, earlier)))
        throw new UsageError(`${first} is later than ${second}: give the earlier one first`)
      const [figures, stock, settings] = [figuresFold({ timeZone }), stockFold({ timeZone }), settingsFold()]
      const now = (reached: Reached): State => ({ reached, ...figures.totals(), ...stock.now() })
      const folds = [figures, stock, settings]
      const one = now(await foldedTo(reading, earlier, folds))
      const known = settings.changes().length
      const other = now(await foldedTo(reading, later, folds, one.reached))
      const changes = settings.changes().slice(known)
      if (json) {
        const facts = [one, other].map(({ reached, ...state }) => ({ asOf: reachedFacts(reached), ...state }))
        await reading.say(`${JSON.stringify({ from: facts[0], to: facts[1], settings: changes }, undefined, 2)}\n`)
        return 0
      }
      await reading.say(
        `${reachedLine(one.reached)}\n${reachedLine(other.reached)}\n\n${tableOf(columns, rowsOf(one, other))}`,
      )
      if (changes.length > 0) await reading.say(`\n${tableOf(changeColumns, changes)}`)
      return 0
    }),
})

interface State extends Figures {
  readonly reached: Reached
  readonly freeM: number
  readonly reservedM: number
}

interface DiffRow {
  readonly what: string
  readonly one: string
  readonly other: string
  readonly difference: string
}

function rowsOf(one: State, other: State): DiffRow[] {
  const row = (what: string, of: (state: State) => number, text: (value: number) => string): DiffRow => {
    const change = of(other) - of(one)
    const difference = `${change > 0 ? '+' : ''}${text(change)}`
    return { what, one: text(of(one)), other: text(of(other)), difference }
  }
  return [
    row('orders placed', ({ placed }) => placed, count),
    row('paid', ({ paid }) => paid, count),
    { what: 'conversion', one: percent(conversionOf(one)), other: percent(conversionOf(other)), difference: '' },
    row('completed', ({ completed }) => completed, count),
    row('coins delivered', ({ coinsM }) => coinsM, millions),
    row('revenue', ({ revenueCents }) => revenueCents, usd),
    row('refunded', ({ refundedCents }) => refundedCents, usd),
    { what: 'average order', one: usd(averageCentsOf(one)), other: usd(averageCentsOf(other)), difference: '' },
    row('stock free', ({ freeM }) => freeM, millions),
    row('stock reserved', ({ reservedM }) => reservedM, millions),
  ]
}

const columns = [
  { title: '', of: ({ what }: DiffRow) => what },
  { title: 'then', of: ({ one }: DiffRow) => one, isNumber: true },
  { title: 'later', of: ({ other }: DiffRow) => other, isNumber: true },
  { title: 'change', of: ({ difference }: DiffRow) => difference, isNumber: true },
]
