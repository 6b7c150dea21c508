import { expect, it, vi } from 'vitest'
import { slowStart } from './slow-start.ts'

it('a start says every five seconds what it is at, until it ends', () => {
  vi.useFakeTimers()
  const said: string[] = []
  const start = slowStart((at) => said.push(at))
  vi.advanceTimersByTime(4_900)
  expect(said).toEqual([])
  vi.advanceTimersByTime(200)
  start.progress('the vault is open')
  vi.advanceTimersByTime(5_000)
  start.end()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['opening log, vault and views', 'the vault is open'])
  vi.useRealTimers()
})
