import { expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { orderEvents } from '../domain/order/events.ts'
import { placed } from '../domain/testing/order-samples.ts'
import type { Opened } from '../projector/fold.ts'
import { allShapeLines, shapesOf } from '../testing/stored-shapes.ts'
import type { Projection } from './projection.ts'
import { shopProjections } from './shop-projections.ts'
import { cleanFold, recorded, storedBody } from './testing/clean-fold.ts'
import { samples, shopEventTypes } from './testing/samples.ts'

const projections = shopProjections({ timeZone: 'Asia/Kolkata' })
const buyer = { customerEmail: 'ash@example.org', discordUsername: 'Ash', marketIds: [] }

function sorted(fields: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Everything that a store is given of the documents, by their ids. */
function storedAfter(projection: Projection, events: readonly ShopEvent[]): unknown {
  const log = recorded(...events)
  const opened: Opened = new Map(log.map(({ id }) => [id, buyer]))
  return [...cleanFold(projection, log, opened)].map(([id, { body, isBroken }]) => {
    const fields = body !== undefined && projection.form ? projection.form.fields(body) : undefined
    return [id, isBroken, storedBody(projection, body), fields && sorted(fields)]
  })
}

it.for(projections)('$name stores what its version stores', (projection) => {
  const { name, version, fields } = projection
  const stored = new Map<string, unknown>([['fields', sorted(fields)]])
  for (const type of shopEventTypes) {
    const isOfOrder = Object.hasOwn(orderEvents, type) && type !== 'OrderPlaced'
    const events = isOfOrder ? [placed(), samples[type]] : [samples[type]]
    if (recorded(samples[type]).some((event) => projection.keys(event).length > 0))
      stored.set(type, storedAfter(projection, events))
  }
  const { toAdd, changed } = shapesOf(`${name}@${version}`, stored)
  expect(changed, `${name} stores something else now: raise its version`).toEqual([])
  expect(toAdd, 'add these lines to src/testing/stored-shapes.txt').toEqual([])
})

it('each line of the stored shapes stands there once', () => {
  const names = allShapeLines().map((line) => line.slice(0, line.lastIndexOf(' ')))
  expect(new Set(names).size).toBe(names.length)
})
