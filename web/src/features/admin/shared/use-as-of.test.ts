import { expect, it } from 'vitest'
import { asOfAt, lastEndedDay } from './use-as-of.ts'

it('only Dashboard and Orders show a past day', () => {
  const address = new URLSearchParams('asOf=2026-03-01')
  const shown = ['/admin', '/admin/orders', '/admin/orders/1', '/admin/settings', '/admin/products'].map((pathname) =>
    asOfAt(pathname, address),
  )
  expect(shown).toEqual(['2026-03-01', '2026-03-01', '2026-03-01', undefined, undefined])
})

const at = (iso: string, timeZone: string) => lastEndedDay(Date.parse(iso), timeZone)

it('lastEndedDay is yesterday in the shop’s time zone', () => {
  // 2 a.m. in India.
  expect(at('2026-03-09T20:30:00Z', 'Asia/Kolkata')).toBe('2026-03-09')
  expect(at('2026-03-09T20:30:00Z', 'UTC')).toBe('2026-03-08')
  expect(at('2026-01-01T02:00:00Z', 'America/New_York')).toBe('2025-12-30')
})
