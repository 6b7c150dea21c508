import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeUnless } from '../src/testing/describe-unless.ts'
import { testFolder } from '../src/testing/test-folder.ts'
import { median } from './report.ts'
import { costOf, costOfHello, requests, startHelloWorld, startLoadedShop, warmUp } from './requests.ts'

/** A round differs by a half from the next; the median of so many hardly does. */
const ROUNDS = 25
/** A read may take so many times its recorded share. */
const SLOWER_MAX = 1.3

type Read = 'pricing' | 'settings' | 'order'

/** Processor time of a read : that of a bare Express hello, by major version of Node. */
const SHARES: Readonly<Record<string, Readonly<Record<Read, number>>>> = {
  24: { pricing: 1, settings: 1.15, order: 1.8 },
  26: { pricing: 0.85, settings: 1, order: 1.5 },
}

const [major = ''] = process.versions.node.split('.')
const shares = SHARES[major]
const missing =
  (shares ? undefined : `no share is recorded for Node ${major}`) ??
  (existsSync('/proc/self/schedstat') ? undefined : 'this system does not say what a process has taken')

describeUnless(missing, 'the processor time of a read, beside a bare Express hello in the same run', () => {
  it(`is at most ${SLOWER_MAX} times what it was`, { timeout: 600_000 }, async () => {
    const hello = await startHelloWorld()
    const shop = await startLoadedShop(testFolder())
    try {
      const reads = requests.filter(({ name }) => name in (shares ?? {}))
      await warmUp(hello, [shop], reads)
      const rounds = reads.map((request) => ({ request, values: [] as number[] }))
      for (let index = 0; index < ROUNDS; index += 1) {
        const base = (await costOfHello(hello)).us
        for (const { request, values } of rounds) values.push((await costOf(shop, request)).us / base)
      }
      const measured = rounds.map(({ request: { name }, values }) => {
        const [share, recorded] = [median(values), shares?.[name as Read] ?? 0]
        return { name, share, recorded, isSlower: share > SLOWER_MAX * recorded }
      })
      expect(measured.filter(({ isSlower }) => isSlower)).toEqual([])
    } finally {
      hello.stop()
      await shop.stop()
    }
  })
})
