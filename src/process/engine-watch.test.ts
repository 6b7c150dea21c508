import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchEngines } from './engine-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('an outage of an engine is logged once with its reason, and once when it ends', async () => {
  const said: unknown[] = []
  const say = (line: object, text: string) => said.push({ ...line, text })
  let trouble: Error | undefined
  const vault = async () => (trouble ? Promise.reject(trouble) : undefined)
  const end = watchEngines({ log: async () => undefined, vault }, { info: say, error: say } as never)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said).toEqual([])
  trouble = new Error('no primary')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said).toEqual([{ engine: 'vault', reason: 'no primary', text: 'an engine is away' }])
  trouble = undefined
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said.slice(1)).toEqual([{ engine: 'vault', awayS: 20, text: 'an engine is back' }])
  end()
})

it('an engine that hangs is reported as not answering', async () => {
  const said: unknown[] = []
  const end = watchEngines({ views: async () => new Promise<never>(() => undefined) }, {
    error: (line: object) => said.push(line),
  } as never)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(said).toEqual([{ engine: 'views', reason: 'it does not answer within 2 s' }])
  end()
})
