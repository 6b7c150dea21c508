import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeUnless } from '../src/testing/describe-unless.ts'
import { testFolder } from '../src/ports/testing/test-folder.ts'
import { median } from './report.ts'
import {
  type BareServer,
  costOf,
  costOfHello,
  type LoadedShop,
  type Request,
  requests,
  startHelloWorld,
  startLoadedShop,
  warmUp,
} from './requests.ts'

/** A round differs by a half from the next; the median of so many hardly does. */
const ROUNDS = 25
/** What else the machine does can make a read look slower, not faster: it is slower where it is so each time. */
const TRIES = 3
/** Of requests at the same time, the shop answers some by one read of the log: how many depends on the machine. */
const ONE_BY_ONE = { connections: 1, times: 1 / 3 }
/** A read may take so many times its recorded share. */
const SLOWER_MAX = 1.3

/** What a bare Express does instead: what a hello takes does not tell what a processor takes to read and open events. */
const BARE = { pricing: '', settings: '', order: '/stored' } as const
type Read = keyof typeof BARE

/** Processor time of a read : that of the bare one, by major version of Node. */
const SHARES: Readonly<Record<string, Readonly<Record<Read, number>>>> = {
  24: { pricing: 1.2, settings: 1.25, order: 2.05 },
  26: { pricing: 1.15, settings: 1.25, order: 1.85 },
}

const [major = ''] = process.versions.node.split('.')
const recorded = SHARES[major]
const missing =
  (recorded ? undefined : `no share is recorded for Node ${major}`) ??
  (existsSync('/proc/self/schedstat') ? undefined : 'this system does not say what a process has taken')

describeUnless(missing, 'the processor time of a read, beside a bare Express in the same run', () => {
  it(`the processor time of a read is at most ${SLOWER_MAX} times the recorded one`, { timeout: 600_000 }, async () => {
    const bare = await startHelloWorld()
    const shop = await startLoadedShop(testFolder())
    try {
      const reads = requests.filter(({ name }) => name in BARE)
      await warmUp(bare, [shop], reads)
      await costOfHello(bare, {}, '/stored')
      let slower = await slowerReads(bare, shop, reads)
      for (let tried = 1; slower.length > 0 && tried < TRIES; tried += 1) slower = await slowerReads(bare, shop, reads)
      expect(slower).toEqual([])
    } finally {
      bare.stop()
      await shop.stop()
    }
  })
})

async function slowerReads(bare: BareServer, shop: LoadedShop, reads: readonly Request[]) {
  const shares = reads.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, request] of reads.entries()) {
      const base = await costOfHello(bare, ONE_BY_ONE, BARE[request.name as Read])
      shares[index]?.push((await costOf(shop, request, ONE_BY_ONE)).us / base.us)
    }
  const measured = reads.map(({ name }, index) => ({
    name,
    share: median(shares[index] ?? []),
    recorded: recorded?.[name as Read] ?? 0,
  }))
  return measured.filter((one) => one.share > SLOWER_MAX * one.recorded)
}
