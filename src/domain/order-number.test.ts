import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderNumberOf, type RoundFunction } from './order-number.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const SERIAL_MAX = 2 ** 35 - 1
const LOW = 2 ** 17

const keyed =
  (key: string): RoundFunction =>
  (round, half) =>
    createHmac('sha256', key).update(`${round}/${half}`).digest().readUInt32BE() % 2 ** 18

const round = keyed('secret')
const serials = fc.integer({ min: 1, max: SERIAL_MAX })
const numbers = serials.map((serial) => orderNumberOf(serial, round))

it('each serial has its own order number under any key', () =>
  fc.assert(
    fc.property(serials, fc.string(), (serial, key) => {
      expect(serialOf(orderNumberOf(serial, keyed(key)), keyed(key))).toBe(serial)
    }),
  ))

/** Runs the Feistel network in reverse. */
function serialOf(number: string, by: RoundFunction): number {
  const digits = number.slice(0, 7).split('')
  const value = digits.reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0)
  let [high, low] = [Math.floor(value / LOW), value % LOW]
  for (let index = 4; index >= 0; index -= 2) {
    low ^= by(index + 1, high) % LOW
    high ^= by(index, low)
  }
  return high * LOW + low
}

it('order numbers reveal no count: neighbours begin differently', () => {
  const starts = new Set(Array.from({ length: 64 }, (_, index) => orderNumberOf(index + 1, round).slice(0, 4)))
  expect(starts.size).toBeGreaterThan(60)
})

it('an order number depends on the key', () =>
  expect(orderNumberOf(1, keyed('a'))).not.toBe(orderNumberOf(1, keyed('b'))))

it('an order number has seven characters and a check character, all easy to read aloud', () =>
  fc.assert(
    fc.property(numbers, (number) => {
      expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
    }),
  ))

it('an order number with one wrong character is not another valid number', () =>
  fc.assert(
    fc.property(numbers, fc.nat(7), fc.constantFrom(...ALPHABET.split('')), (number, place, character) => {
      fc.pre(number[place] !== character)
      const wrong = number.slice(0, place) + character + number.slice(place + 1)
      const serial = serialOf(wrong, round)
      expect(serial > 0 && orderNumberOf(serial, round) === wrong).toBe(false)
    }),
  ))

it('an order number with two neighbours swapped is almost never another valid number', () => {
  let [swapped, passed] = [0, 0]
  for (let serial = 1; serial <= 500; serial += 1) {
    const number = orderNumberOf(serial, round)
    for (let place = 0; place < 7; place += 1) {
      const [left = '', right = ''] = [number[place], number[place + 1]]
      if (left === right) continue
      const wrong = number.slice(0, place) + right + left + number.slice(place + 2)
      swapped += 1
      if (orderNumberOf(serialOf(wrong, round), round) === wrong) passed += 1
    }
  }
  expect(passed / swapped).toBeLessThan(0.01)
})

it.for([0, -1, 1.5, SERIAL_MAX + 1, Number.NaN])('%d has no order number', (serial) =>
  expect(() => orderNumberOf(serial, round)).toThrow(RangeError),
)

it('the last serial has an order number', () =>
  expect(serialOf(orderNumberOf(SERIAL_MAX, round), round)).toBe(SERIAL_MAX))
