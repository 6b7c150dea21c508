import { beforeEach, describe, expect, it } from 'vitest'
import { type KnownPayment, type PaymentProvider, PaymentRejected, ProviderAway } from './payment-provider.ts'
import { NotAsked } from './provider-pace.ts'
import { ProviderWatch, type SharedTexts } from './provider-watch.ts'

const START = Date.parse('2026-03-01T10:00:00.000Z')
const waiting = { status: 'waiting', amountPaid: null, receipts: [] } as const

let nowMs: number
let texts: SharedTexts
let outcome: () => Error | undefined
beforeEach(() => {
  nowMs = START
  texts = textsInMemory()
  outcome = () => undefined
})

function textsInMemory(): SharedTexts {
  const kept = new Map<string, string>()
  return {
    read: async (name) => kept.get(name),
    async replace(name, { from, to }) {
      if (kept.get(name) !== from) return false
      kept.set(name, to)
      return true
    },
  }
}

const provider: PaymentProvider = {
  name: 'nowpayments',
  create: async () => Promise.reject(new Error('not asked for here')),
  async check() {
    const error = outcome()
    if (error) throw error
    return waiting
  },
  checkKeys: async () => {
    const error = outcome()
    if (error) throw error
    return { areAccepted: false, reason: 'Invalid api key' }
  },
  limits: async () => ({ minMinor: 1, maxMinor: 2 }),
}

/** One process, with what it sees. */
function process(id: string) {
  const watch = new ProviderWatch({ texts, now: () => nowMs, id })
  const watched = watch.watched(provider)
  return {
    watch,
    watched,
    async look(paymentId = '1'): Promise<void> {
      await watched.check({ paymentId } as KnownPayment).catch(() => undefined)
      await settled()
    },
    async state() {
      nowMs += 2_000
      return watch.stateOf('nowpayments')
    },
  }
}

/** What is noted is not waited for by the call. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

const isAway = () => new ProviderAway('the provider answered 500')

describe('a provider', () => {
  it('is away once its calls have failed for half a minute, for every process, since the first of them', async () => {
    const [worker, api] = [process('worker'), process('api')]
    outcome = isAway
    await worker.look()
    nowMs += 20_000
    await worker.look()
    expect(await api.state()).toMatchObject({ awaySince: undefined })
    nowMs += 10_000
    await worker.look()
    const state = { awaySince: START, reason: 'the provider answered 500' }
    expect([await api.state(), await worker.state()]).toMatchObject([state, state])
  })

  it('is back with the first answer to any process', async () => {
    const [worker, api] = [process('worker'), process('api')]
    outcome = isAway
    for (let turn = 0; turn < 5; turn += 1) {
      await worker.look()
      nowMs += 10_000
    }
    expect((await worker.state()).awaySince).toBe(START)
    // To say no is to answer.
    outcome = () => new PaymentRejected('unknown payment')
    await api.look()
    expect((await worker.state()).awaySince).toBeUndefined()
  })

  it('is not away while one process has answers', async () => {
    const [cut, served] = [process('cut'), process('served')]
    for (let turn = 0; turn < 10; turn += 1) {
      outcome = isAway
      await cut.look()
      nowMs += 5_000
      outcome = () => undefined
      await served.look()
      nowMs += 5_000
    }
    expect((await served.state()).awaySince).toBeUndefined()
  })

  it('is not away because the shop held back its own calls', async () => {
    const worker = process('worker')
    outcome = () => new NotAsked('too many calls to the payment provider are waiting')
    for (let turn = 0; turn < 5; turn += 1) {
      await worker.look()
      nowMs += 10_000
    }
    expect(await worker.state()).toMatchObject({ awaySince: undefined, failing: 0, late: 1 })
  })

  it('is unknown when nothing was asked for five minutes', async () => {
    const worker = process('worker')
    outcome = isAway
    for (let turn = 0; turn < 5; turn += 1) {
      await worker.look()
      nowMs += 10_000
    }
    nowMs += 5 * 60_000
    expect(await worker.state()).toMatchObject({ awaySince: undefined, failing: 0, late: 0 })
    await worker.look()
    expect((await worker.state()).awaySince).toBeUndefined()
  })
})

describe('the figures', () => {
  it('count failed calls and looks without an answer over all processes, until they were made up for', async () => {
    const [one, other] = [process('one'), process('other')]
    outcome = isAway
    await one.look('1')
    await other.look('2')
    await other.look('3')
    nowMs += 6_000
    await other.look('3')
    expect(await one.state()).toMatchObject({ failing: 4, late: 3 })
    expect(one.watch.callsSince('nowpayments')).toMatchObject({ answered: 0, failed: 1 })
    outcome = () => undefined
    nowMs += 6_000
    await other.look('2')
    expect(await one.state()).toMatchObject({ late: 2 })
    nowMs += 60_000
    expect(await one.state()).toMatchObject({ failing: 0 })
  })
})

describe('what is noted', () => {
  it('tells when webhooks came, and that refused ones are others', async () => {
    const [api, other] = [process('api'), process('other')]
    api.watch.webhookCame('nowpayments', false)
    await settled()
    nowMs += 10_000
    for (let turn = 0; turn < 3; turn += 1) api.watch.webhookCame('nowpayments', true)
    await settled()
    expect(await other.state()).toMatchObject({ webhookAt: START, refusedWebhookAt: START + 10_000 })
  })

  it('has what the provider said of the keys, or that it said nothing', async () => {
    const [api, other] = [process('api'), process('other')]
    await api.watched.checkKeys?.()
    const refused = { at: START, areAccepted: false, reason: 'Invalid api key' }
    expect((await other.state()).keys).toEqual(refused)
    outcome = isAway
    await expect(api.watched.checkKeys?.()).rejects.toThrow(ProviderAway)
    expect((await other.state()).keys).toMatchObject({ areAccepted: null, reason: 'the provider answered 500' })
  })

  it('is kept from all of many processes that note at once', async () => {
    const all = Array.from({ length: 4 }, (_, index) => process(`process ${index}`))
    outcome = isAway
    await Promise.all(all.map(async (one, index) => one.look(String(index))))
    expect(await process('reader').state()).toMatchObject({ failing: 4, late: 4 })
  })

  it('fails no call, and is noted again, while the views are away', async () => {
    const kept = texts
    let isViewsAway = true
    const orAway = async <Result>(ask: () => Promise<Result>): Promise<Result> =>
      isViewsAway ? Promise.reject(new Error('away')) : ask()
    texts = {
      read: async (name) => orAway(async () => kept.read(name)),
      replace: async (name, values) => orAway(async () => kept.replace(name, values)),
    }
    const worker = process('worker')
    outcome = isAway
    await worker.look()
    expect(await worker.state()).toMatchObject({ awaySince: undefined, failing: 1, late: 1 })
    isViewsAway = false
    for (let turn = 0; turn < 5; turn += 1) {
      await worker.look()
      nowMs += 10_000
    }
    expect((await worker.state()).awaySince).toBe(START + 2_000)
  })

  it('is not waited for where the views hang', async () => {
    const kept = texts
    const { promise: hanging, resolve: end } = Promise.withResolvers<void>()
    texts = {
      read: async (name) => hanging.then(async () => kept.read(name)),
      replace: async (name, values) => kept.replace(name, values),
    }
    const worker = process('worker')
    for (let turn = 0; turn < 3; turn += 1)
      expect(await worker.state()).toMatchObject({ awaySince: undefined, webhookAt: undefined })
    worker.watch.webhookCame('nowpayments', false)
    end()
    await settled()
    expect((await worker.state()).webhookAt).toBe(nowMs - 2_000)
  })

  it('of another release is begun anew', async () => {
    await texts.replace('provider-nowpayments', { from: undefined, to: '{"failing":"yes"}' })
    const worker = process('worker')
    outcome = isAway
    await worker.look()
    expect(await worker.state()).toMatchObject({ failing: 1 })
  })
})
