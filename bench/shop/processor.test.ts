import { expect, it } from 'vitest'
import { processorSeconds, processorSecondsIn } from './processor.ts'

it('reads the time of a process from what Linux tells, whatever the process is called', () => {
  expect(processorSecondsIn('7 (node (main) x) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 11 0 5\n')).toBe(3)
  expect(processorSecondsIn('')).toBeUndefined()
})

it('knows nothing of a process that is not there', () => expect(processorSeconds(2 ** 30)).toBeUndefined())
