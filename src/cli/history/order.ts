import { orderIdOf } from '../../domain/stream-names.ts'
import { decode } from '../../event-store/event-codec.ts'
import { shortOf } from '../../event-store/limits.ts'
import { type OrderAsOf, orderAsOf, orderColumns, orderRow } from '../../history/export-orders.ts'
import { pagesUpTo } from '../../history/pages-up-to.ts'
import { daysIn } from '../../projections/calendar.ts'
import { isOrderEvent } from '../../projections/order-events.ts'
import { entriesOf } from '../../projections/order-timeline.ts'
import { flag, ofAnyOptions, UsageError } from '../command-line.ts'
import { asOf, codes, momentOf, type Reading, withLog } from './reading.ts'
import { tableOf } from './table.ts'

const ORDER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Also as the screens show it: `#SKMT TXCD`. */
const ORDER_NUMBER = /^#?([0-9a-z]{4}) ?([0-9a-z]{4})$/i

export const order = ofAnyOptions({
  name: 'history order',
  does: 'one order: its state, and every event that led there',
  operands: (given) => ['NUMBER|ID', ...(ORDER_NUMBER.test(given.join(' ')) ? given.slice(1) : [])],
  options: { 'as-of': asOf, json: flag('for programs; money in cents') },
  notes: `By its number the log is searched from its beginning; its id is faster. It names no buyer.\n\n${codes}`,
  run: async ({ 'as-of': given, json }, words) =>
    withLog(async (reading) => {
      const name = words.join(' ').trim()
      const moment = await momentOf(reading, given)
      const orderId = ORDER_ID.test(name.toLowerCase()) ? name.toLowerCase() : await idOfNumber(reading, name)
      const found = orderId === undefined ? undefined : await orderAsOf(reading.store, orderId, moment)
      if (!found) {
        process.stderr.write(`there is no order ${name}${given === undefined ? '' : ` as of ${given}`}\n`)
        return 1
      }
      const facts = factsOf(found, daysIn(reading.timeZone))
      const events = eventsOf(found)
      await reading.say(json ? `${JSON.stringify({ order: facts, events }, undefined, 2)}\n` : textOf(facts, events))
      return 0
    }),
})

async function idOfNumber({ store, show }: Reading, given: string): Promise<string | undefined> {
  const number = ORDER_NUMBER.exec(given)?.slice(1).join('').toUpperCase()
  if (number === undefined) throw new UsageError(`'${given}' is neither an order number nor an order's id`)
  let read = 0
  for await (const page of pagesUpTo(store, { position: await store.head() })) {
    for (const stored of page) {
      if (stored.type !== 'OrderPlaced' || !stored.data.includes(number)) continue
      const event = decode(stored)
      if (event.type === 'OrderPlaced' && event.data.orderNumber === number) return orderIdOf(event.stream)
    }
    read += page.length
    show(`${read} events searched`)
  }
  return undefined
}

type Facts = Readonly<Record<string, unknown>>

/** The columns of the export, but for the buyer's. */
function factsOf(found: OrderAsOf, dayOf: (at: string) => string): Facts {
  const row = orderRow(found, { position: found.events[0]?.position ?? '', dayOf, buyer: undefined })
  return Object.fromEntries(row.map((value, at) => [orderColumns[at]?.name, value]))
}

function eventsOf({ events }: OrderAsOf) {
  const ofOrder = events.filter(isOrderEvent)
  const entries = entriesOf(ofOrder, 'staff')
  return ofOrder.map((event, index) => {
    const told = entries[index] ?? []
    const { correlationId, causationId } = event.metadata
    return {
      position: shortOf(event.position),
      recordedAt: new Date(event.recordedAt).toISOString(),
      at: event.data.at,
      type: event.type,
      actor: told[0]?.actor ?? event.metadata.actor,
      text: told.map(({ text }) => text).join(' '),
      /** The event that caused it, or else the request. */
      cause: causationId ?? correlationId,
    }
  })
}

function textOf(facts: Facts, events: ReturnType<typeof eventsOf>): string {
  const lines = Object.entries(facts).filter(([, value]) => value !== null)
  const width = Math.max(...lines.map(([name]) => name.length))
  const state = lines.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}\n`).join('')
  return `${state}\n${tableOf(columns, events)}`
}

type Event = ReturnType<typeof eventsOf>[number]

const columns = [
  { title: 'position', of: ({ position }: Event) => position, isNumber: true },
  { title: 'recorded', of: ({ recordedAt }: Event) => recordedAt },
  { title: 'event', of: ({ type }: Event) => type },
  { title: 'actor', of: ({ actor }: Event) => actor },
  { title: 'what', of: ({ text }: Event) => text },
  { title: 'cause', of: ({ cause }: Event) => cause },
]
