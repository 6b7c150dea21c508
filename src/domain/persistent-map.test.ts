import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PersistentMap } from './persistent-map.ts'

// Few keys, so that they collide: keys 4,096 apart share a bucket, 64 apart a branch.
const numbers = fc.integer({ min: 0, max: 20 }).chain((low) => fc.constantFrom(low, low + 64, low + 4096))
const texts = fc.constantFrom('', 'a', 'b', 'a-00000000', 'b-00000000', 'a-ffffffff')
const steps = (keys: fc.Arbitrary<string | number>) =>
  fc.array(fc.record({ key: keys, value: fc.option(fc.nat(), { nil: undefined }) }), { maxLength: 60 })

it.for([
  ['numbers', numbers],
  ['texts', texts],
] as const)('a persistent map over %s behaves like a Map and never changes older versions', ([, keys]) =>
  fc.assert(
    fc.property(steps(keys), (changes) => {
      const plain = new Map<string | number, number>()
      let map = new PersistentMap<string | number, number>()
      const before: { map: PersistentMap<string | number, number>; entries: [string | number, number][] }[] = []
      for (const { key, value } of changes) {
        before.push({ map, entries: [...plain] })
        if (value === undefined) plain.delete(key)
        else plain.set(key, value)
        map = value === undefined ? map.without(key) : map.with(key, value)
        expectSame(map, [...plain])
      }
      for (const { map: old, entries } of before) expectSame(old, entries)
    }),
  ),
)

function expectSame(map: PersistentMap<string | number, number>, entries: [string | number, number][]): void {
  expect(map.size).toBe(entries.length)
  for (const [key, value] of entries) expect(map.get(key)).toBe(value)
  expect(sorted(map.values())).toStrictEqual(sorted(entries.map(([, value]) => value)))
}

function sorted(values: Iterable<number>): number[] {
  return [...values].sort((one, other) => one - other)
}

it('a persistent map has no key that was never set', () => {
  expect(new PersistentMap<number, string>().get(1)).toBeUndefined()
  expect(new PersistentMap<number, string>().with(1, 'one').get(4097)).toBeUndefined()
})

it('removing an unknown key returns the same map', () => {
  const map = new PersistentMap<number, string>().with(1, 'one')
  expect(map.without(4097)).toBe(map)
})
