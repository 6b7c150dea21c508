import { expect, it } from 'vitest'
import { heldRows } from './selection.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id, may: { deliver: true } }))
const idsOf = (held: ReturnType<typeof heldRows<ReturnType<typeof rows>[number]>>) => held.rows.map(({ id }) => id)

it('shows the list as it is while nothing is held', () => {
  expect(heldRows(undefined, rows('a', 'b'))).toMatchObject({ rows: rows('a', 'b'), added: 0 })
})

it('keeps each row in its place while others come and go, and counts what is new', () => {
  const held = heldRows(rows('a', 'b', 'c'), rows('x', 'y', 'a', 'c'))
  expect(idsOf(held)).toEqual(['a', 'b', 'c'])
  expect(held.added).toBe(2)
})

it('shows a held row as it is now, and lets nothing be done with one that has left the list', () => {
  const now = [{ id: 'a', may: { deliver: false } }]
  expect(heldRows(rows('a', 'b'), now).rows).toEqual([
    { id: 'a', may: { deliver: false } },
    { id: 'b', may: { deliver: false } },
  ])
})
