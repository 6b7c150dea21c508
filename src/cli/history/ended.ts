import { type Ending, endingsFold } from '../../history/endings.ts'
import { flag, ofAnyOptions } from '../command-line.ts'
import {
  asOf,
  assertBegunBy,
  codes,
  foldedTo,
  fromTime,
  momentOf,
  reachedFacts,
  reachedLine,
  timesOf,
  toTime,
  withLog,
} from './reading.ts'
import { count, tableOf, usd } from './table.ts'

const words: Readonly<Record<Ending, string>> = {
  'never-begun': 'never begun to pay',
  'payment-failed': 'the payment failed',
  late: 'begun, not paid in time',
  cancelled: 'cancelled by the buyer',
  'by-staff': 'by staff: deleted, or paid back',
}

export const ended = ofAnyOptions({
  name: 'history ended',
  does: 'why orders ended without being handed over, with counts and sums',
  options: { 'as-of': asOf, from: fromTime, to: toTime, json: flag('for programs; money in cents') },
  notes: `--from and --to are times of the end. An order that came back has not ended; one that was handed over is not counted.\n\n${codes}`,
  run: async ({ 'as-of': given, json, ...span }) =>
    withLog(async (reading) => {
      const times = timesOf(reading, span)
      const fold = endingsFold()
      const moment = await momentOf(reading, given)
      await assertBegunBy(reading, moment, { from: span.from, 'as-of': given })
      const reached = await foldedTo(reading, moment, [fold])
      const rows = fold.rows(times)
      await reading.say(
        json
          ? `${JSON.stringify({ asOf: reachedFacts(reached), rows }, undefined, 2)}\n`
          : `${reachedLine(reached)}\n\n${tableOf(columns, rows)}`,
      )
      return 0
    }),
})

type Row = ReturnType<ReturnType<typeof endingsFold>['rows']>[number]

const columns = [
  { title: 'why', of: ({ ending }: Row) => words[ending] },
  { title: 'orders', of: ({ orders }: Row) => count(orders), isNumber: true },
  { title: 'total', of: ({ totalCents }: Row) => usd(totalCents), isNumber: true },
  { title: 'received', of: ({ receivedCents }: Row) => usd(receivedCents), isNumber: true },
]
