import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { eventFormats, type ShopEvent } from '../domain/events.ts'
import { attentionReasons } from '../domain/words.ts'
import type { Buyer } from '../log/event-log.ts'
import { START } from '../engines/event-store/event-store.ts'
import type { ViewDocument } from '../engines/view-store/view-store.ts'
import { pageFold } from '../projector/fold.ts'
import { recorded } from '../projector/testing/clean-fold.ts'
import type { Projection } from './projection.ts'
import { SHAPE } from './shape.ts'
import { shopProjections } from './shop-projections.ts'

/** The views of the events of this file, by shape. */
const RECORDED = '6 5518b9b6a8355a03'

/** Events are added, never changed: a fold that differs only for events that are not here keeps its wrong documents. */
const lines = readFileSync(new URL('testing/recorded-events.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const events = recorded(...lines.map((line) => JSON.parse(line) as ShopEvent))
const opened = new Map(
  events.flatMap((event) => (event.type === 'OrderPlaced' ? [[event.id, buyerOf(event.data)] as const] : [])),
)
const projections = shopProjections({ timeZone: 'Asia/Kolkata' })

function buyerOf({ orderId, customerId }: { orderId: string; customerId: string }): Buyer {
  if (orderId.endsWith('3')) return 'unreadable'
  if (orderId.endsWith('7')) return 'erased'
  const marketIds = [{ marketId: `12345${orderId.slice(-2)}`, amountM: 5 }]
  return { customerEmail: `${customerId}@Example.org`, discordUsername: `Chat ${orderId}`, marketIds }
}

/** Every document after every event that changes it. */
function documentsOf(projection: Projection): ViewDocument[] {
  const stored = new Map<string, ViewDocument>()
  const written: ViewDocument[] = []
  for (const event of events)
    for (const { fold } of pageFold([projection], { after: START, events: [event], opened }).parts)
      for (const document of fold(stored, event.position)) {
        stored.set(document.id, document)
        written.push(document)
      }
  return written
}

/** What engines store of a document. */
function storedOf({ fields }: Projection, document: ViewDocument) {
  const values = (document.fields ?? document.body ?? {}) as Readonly<Record<string, unknown>>
  return { ...document, fields: Object.keys(fields).map((field) => values[field] ?? null) }
}

it('a change of what the views store raises their shape', () => {
  const forms = projections.map(({ name, fields, indexes, isPersonal }) => ({ name, fields, indexes, isPersonal }))
  const documents = projections.map((each) => documentsOf(each).map((document) => storedOf(each, document)))
  const digest = hash('sha256', JSON.stringify([forms, documents]), 'hex').slice(0, 16)
  expect(`${SHAPE} ${digest}`, 'raise SHAPE by one, and record it here with its digest').toBe(RECORDED)
})

it('the recorded events show every type of event and every cause, and break no document', () => {
  const written = projections.flatMap(documentsOf)
  const causes = written.flatMap(({ fields }) => (fields?.['reasons'] as string | undefined)?.split(' ') ?? [])
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventFormats.keys()))
  expect(events.filter(({ type, data }) => !eventFormats.get(type)?.schema.safeParse(data).success)).toEqual([])
  expect(new Set(causes.filter(Boolean))).toEqual(new Set(attentionReasons))
  expect(written.filter(({ broken }) => broken)).toEqual([])
})
