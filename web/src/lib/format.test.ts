import { expect, it } from 'vitest'
import { centsOf, time, timeInZone } from './format.ts'

it('centsOf reads every amount exactly', () => {
  for (let cents = 0; cents < 1_000; cents += 1) expect(centsOf((cents / 100).toFixed(2))).toBe(cents)
})

it('a time shows its year unless it is the current one', () => {
  const now = new Date(2026, 5, 1)
  expect(time(new Date(2026, 10, 21, 12, 13).toISOString(), now)).toBe('21 Nov, 12:13')
  expect(time(new Date(2025, 10, 21, 12, 13).toISOString(), now)).toBe('21 Nov 2025, 12:13')
})

it('timeInZone shows the year and the time zone', () => {
  const at = new Date(2026, 10, 21, 12, 13)
  expect(timeInZone(at.toISOString())).toMatch(/^21 Nov 2026, 12:13 [A-Z]\S*$/)
})
