import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayAfter, daysIn, monthOf, startOfDay } from './calendar.ts'

it('days follow the time zone of the shop', () => {
  const dayOf = daysIn('Asia/Kolkata')
  expect(dayOf('2026-01-31T18:29:59.999Z')).toBe('2026-01-31')
  expect(dayOf('2026-01-31T18:30:00.000Z')).toBe('2026-02-01')
  expect(monthOf('2026-02-01')).toBe('2026-02')
})

it('the start of a day is known, also when the clocks change', () => {
  expect(startOfDay('2026-02-01', 'Asia/Kolkata')).toBe('2026-01-31T18:30:00.000Z')
  expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
  expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
  expect(startOfDay('2026-02-31', 'UTC')).toBeUndefined()
  expect(startOfDay('soon', 'UTC')).toBeUndefined()
})

it('a day lasts until the next one starts', () => {
  // From 2020 on: earlier, zones skipped days or had offsets of odd minutes.
  const days = fc
    .integer({ min: 18_262, max: 40_000 })
    .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
  const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/New_York')
  fc.assert(
    fc.property(days, zones, (day, zone) => {
      const dayOf = daysIn(zone)
      const begins = startOfDay(day, zone) ?? ''
      const ends = Date.parse(startOfDay(dayAfter(day), zone) ?? '') - 1
      expect(dayOf(begins)).toBe(day)
      expect(dayOf(new Date(ends).toISOString())).toBe(day)
      expect(dayOf(new Date(Date.parse(begins) - 1).toISOString()) < day).toBe(true)
    }),
    { numRuns: 50 },
  )
})

it('an unknown time zone is rejected', () => {
  expect(() => daysIn('Mars/Olympus')).toThrow(RangeError)
})
