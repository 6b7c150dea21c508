import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { type EventFormat, eventFormats, upcast } from './events.ts'

interface Sample {
  readonly type: string
  readonly version: number
  readonly data: unknown
}

/** Stored events, one of each type and version. Samples are added, never changed. */
const samples = JSON.parse(readFileSync(new URL('testing/golden-events.json', import.meta.url), 'utf8')) as Sample[]

const named = ({ type, version }: Pick<Sample, 'type' | 'version'>) => `${type}@${version}`

it.for(samples)('a stored event can be read and has no unknown field: $type@$version', ({ type, version, data }) => {
  const format = eventFormats.get(type)
  if (!format) throw new Error(`no event type ${type}`)
  const read = upcast(format, version, data)
  expect(format.schema.parse(read)).toStrictEqual(read)
  if (version === format.version) expect(read).toStrictEqual(data)
  expect(format.schema.safeParse({ ...(read as object), email: 'buyer@example.org' }).success).toBe(false)
})

it('each version of each event has one stored sample', () => {
  const versions = [...eventFormats].flatMap(([type, { version }]) =>
    Array.from({ length: version }, (_, index) => named({ type, version: index + 1 })),
  )
  expect(samples.map(named).sort()).toStrictEqual(versions.sort())
})

it('docs/events.md lists exactly the types of events', () => {
  const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^- \*\*([^*]+)\*\*:/gm)].flatMap(([, types = '']) => types.split(', '))
  expect(documented.sort()).toStrictEqual([...eventFormats.keys()].sort())
})

const format: EventFormat = {
  version: 3,
  schema: z.strictObject({ totalCents: z.int(), currency: z.string() }),
  upcasts: [
    (data) => ({ totalCents: (data as { total: number }).total * 100 }),
    (data) => ({ ...(data as object), currency: 'USD' }),
  ],
}

it.for<[version: number, data: unknown]>([
  [1, Object.freeze({ total: 12 })],
  [2, { totalCents: 1200 }],
  [3, { totalCents: 1200, currency: 'USD' }],
])('upcasting turns version %d into the current shape and does not change what is stored', ([version, data]) => {
  const read = upcast(format, version, data)
  expect(read).toStrictEqual({ totalCents: 1200, currency: 'USD' })
  expect(format.schema.parse(read)).toStrictEqual(read)
})
