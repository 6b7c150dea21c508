import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeUnless } from '../src/testing/describe-unless.ts'
import { newFolder, removeFolder } from './folders.ts'
import { costFor, costOf, measuredShop, warmUp } from './per-request.ts'
import { startHelloWorld } from './processes.ts'
import { median } from './statistics.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
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
    const folder = await newFolder()
    const hello = await startHelloWorld()
    const shop = await measuredShop(ROOT, folder)
    try {
      await warmUp(hello, [shop], ['pricing', 'settings', 'order'])
      const rounds: Record<Read, number>[] = []
      for (let index = 0; index < ROUNDS; index += 1) {
        const base = (await costOf(hello, '')).us
        const share = async (name: Read) => (await costFor(shop, name)).us / base
        rounds.push({ pricing: await share('pricing'), settings: await share('settings'), order: await share('order') })
      }
      const measured = Object.entries(shares ?? {}).map(([name, recorded]) => {
        const share = median(rounds.map((round) => round[name as keyof typeof round]))
        return { name, share, recorded, isSlower: share > SLOWER_MAX * recorded }
      })
      expect(measured.filter(({ isSlower }) => isSlower)).toEqual([])
    } finally {
      hello.stop()
      await shop.stop()
      await removeFolder(folder)
    }
  })
})
