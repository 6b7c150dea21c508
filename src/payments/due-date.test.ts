import { expect, it } from 'vitest'
import { dueDate } from './due-date.ts'

it.for([
  ['2023-06-18T23:59:59+05:30', '2023-06-18T18:29:59.000Z'],
  ['2026-12-03T10:00:00.000Z', '2026-12-03T10:00:00.000Z'],
  ['in three days', null],
  [20_231_203, null],
  [null, null],
  [undefined, undefined],
] as const)('%s is due at %s', ([given, due]) => expect(dueDate.parse(given)).toBe(due))
