import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type EventFormat, eventFormats, upcast } from './events.ts'

interface Sample {
  readonly type: string
  readonly version: number
  readonly data: unknown
}

/** Events as they lie in logs, one of every type and version. A sample is added, never changed. */
const samples = JSON.parse(readFileSync(new URL('testing/golden-events.json', import.meta.url), 'utf8')) as Sample[]

const named = ({ type, version }: Pick<Sample, 'type' | 'version'>) => `${type}@${version}`

describe('events as they were stored', () => {
  it.for(samples)(
    'can still be read, and have no field that nobody knows: $type@$version',
    ({ type, version, data }) => {
      const format = eventFormats.get(type)
      if (!format) throw new Error(`no event type ${type}`)
      const read = upcast(format, version, data)
      expect(format.schema.parse(read)).toStrictEqual(read)
      if (version === format.version) expect(read).toStrictEqual(data)
      expect(format.schema.safeParse({ ...(read as object), email: 'buyer@example.org' }).success).toBe(false)
    },
  )

  it('are kept as a sample in every version that there ever was, once', () => {
    const versions = [...eventFormats].flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, index) => named({ type, version: index + 1 })),
    )
    expect(samples.map(named).sort()).toStrictEqual(versions.sort())
  })

  it('stand in docs/events.md, and no others', () => {
    const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
    const documented = [...page.matchAll(/^- \*\*([^*]+)\*\*:/gm)].flatMap(([, types = '']) => types.split(', '))
    expect(documented.sort()).toStrictEqual([...eventFormats.keys()].sort())
  })
})

describe('upcasting', () => {
  const format: EventFormat = {
    version: 3,
    schema: z.strictObject({ totalCents: z.int(), currency: z.string() }),
    upcasts: [
      (data) => ({ totalCents: (data as { total: number }).total * 100 }),
      (data) => ({ ...(data as object), currency: 'USD' }),
    ],
  }

  it.for<[version: number, data: unknown]>([
    [1, { total: 12 }],
    [2, { totalCents: 1200 }],
    [3, { totalCents: 1200, currency: 'USD' }],
  ])('makes the shape of today of version %d', ([version, data]) => {
    const read = upcast(format, version, data)
    expect(read).toStrictEqual({ totalCents: 1200, currency: 'USD' })
    expect(format.schema.parse(read)).toStrictEqual(read)
  })

  it('leaves what was stored as it was', () => {
    const stored = Object.freeze({ total: 12 })
    upcast(format, 1, stored)
    expect(stored).toStrictEqual({ total: 12 })
  })
})
