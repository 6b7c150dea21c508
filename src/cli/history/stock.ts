import { type StockDay, stockFold } from '../../history/stock-days.ts'
import { daysIn } from '../../projections/calendar.ts'
import { millions } from '../../projections/order-words.ts'
import { flag, ofAnyOptions } from '../command-line.ts'
import { codes, foldedTo, fromTime, momentOf, reachedFacts, reachedLine, timesOf, toTime, withLog } from './reading.ts'
import { tableOf } from './table.ts'

export const stock = ofAnyOptions({
  name: 'history stock',
  does: 'the stock of each day on which it moved: set by staff, sold, free and reserved at its end',
  options: { from: fromTime, to: toTime, json: flag('for programs; coins in millions') },
  notes: `Days are those of SHOP_TIME_ZONE, and shown whole.\n\n${codes}`,
  run: async ({ json, ...span }) =>
    withLog(async (reading) => {
      const { from: begins, before } = timesOf(reading, span)
      const dayOf = daysIn(reading.timeZone)
      const firstDay = span.from === undefined ? '' : dayOf(begins)
      const lastDay = span.to === undefined ? '9' : dayOf(new Date(Date.parse(before) - 1).toISOString())
      const fold = stockFold({ timeZone: reading.timeZone })
      const reached = await foldedTo(reading, await momentOf(reading, undefined), [fold])
      const rows = fold.rows().filter(({ day }) => day >= firstDay && day <= lastDay)
      await reading.say(
        json
          ? `${JSON.stringify({ asOf: reachedFacts(reached), rows }, undefined, 2)}\n`
          : `${reachedLine(reached)}\n\n${tableOf(columns, rows)}`,
      )
      return 0
    }),
})

const columns = [
  { title: 'day', of: ({ day }: StockDay) => day },
  { title: 'set', of: ({ setM }: StockDay) => millions(setM), isNumber: true },
  { title: 'sold', of: ({ soldM }: StockDay) => millions(soldM), isNumber: true },
  { title: 'free', of: ({ freeM }: StockDay) => millions(freeM), isNumber: true },
  { title: 'reserved', of: ({ reservedM }: StockDay) => millions(reservedM), isNumber: true },
]
