import { expect, it } from 'vitest'
import { momentFrom } from './moment.ts'

const zone = 'Asia/Kolkata'
const ms = (at: string): number => Date.parse(at)

it('a moment given as a day includes the whole day of the shop', () => {
  expect(momentFrom('2026-01-31', zone)).toEqual({ beforeMs: ms('2026-01-31T18:30:00Z') })
})

it('a moment given as a time includes that millisecond', () => {
  expect(momentFrom('2026-01-31T10:00:00.500+05:30', zone)).toEqual({ beforeMs: ms('2026-01-31T04:30:00.501Z') })
})

it('a moment given as a position includes its event', () => {
  expect(momentFrom('42', zone)).toEqual({ position: '00000000000000000042' })
  expect(momentFrom('00000000000000000042', zone)).toEqual({ position: '00000000000000000042' })
  expect(momentFrom('0', zone)).toEqual({ position: '' })
})

it.for([
  '',
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '2026-01-31T10:00',
  '2026-02-30T10:00Z',
  '2026-04-31T00:00:00+05:30',
  '-1',
  '1.5',
  '9'.repeat(21),
])('%j is not a moment', (text) => {
  expect(momentFrom(text, zone)).toBeUndefined()
})
