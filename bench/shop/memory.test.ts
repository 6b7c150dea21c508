import { expect, it } from 'vitest'
import { megabytesIn, residentMegabytes } from './memory.ts'

it('reads the memory of a process from what Linux tells', () => {
  expect(megabytesIn('Name:\tnode\nVmPeak:\t  900 kB\nVmRSS:\t  204800 kB\nThreads:\t7\n')).toBe(200)
  expect(megabytesIn('Name:\tnode\n')).toBeUndefined()
})

it('knows nothing of a process that is not there', () => expect(residentMegabytes(2 ** 30)).toBeUndefined())
