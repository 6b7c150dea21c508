import { expect, it } from 'vitest'
import { type ListFigure, middleOf } from './lists.ts'

const question = { filter: 'none', sort: 'createdAt asc' }
const other = { filter: 'none', sort: 'createdAt desc' }
const round = (...figures: ListFigure[]): ListFigure[] => figures

it('each question of the list is told by the middle of its rounds, figure by figure', () => {
  const rounds = [
    round({ ...question, p50: 3, p95: 5, p99: 40 }, { ...other, p50: 10, p95: 20, p99: 30 }),
    round({ ...question, p50: 2, p95: 90, p99: 91 }, { ...other, p50: 11, p95: 21, p99: 31 }),
    round({ ...question, p50: 4, p95: 6, p99: 7 }, { ...other, p50: 12, p95: 22, p99: 32 }),
  ]
  expect(middleOf(rounds)).toStrictEqual([
    { ...question, p50: 3, p95: 6, p99: 40 },
    { ...other, p50: 11, p95: 21, p99: 31 },
  ])
})
