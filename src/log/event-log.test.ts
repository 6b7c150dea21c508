import { expect, it } from 'vitest'
import { memoryVault } from '../engines/vault/testing/memory-vault.ts'
import {
  AppendAmbiguous,
  EventStoreAway,
  EventStoreDamaged,
  NO_EVENTS,
  START,
} from '../engines/event-store/event-store.ts'
import { eventLog, openSealed } from './event-log.ts'
import { memoryEventStore } from '../engines/event-store/testing/memory-event-store.ts'
import { seal } from './sealing.ts'

const caller = { requestId: 'request-1', correlationId: 'c-1', causationId: null, actor: 'system' } as const
const event = { type: 'ShopOpened', data: { vaultId: 'v', at: '2026-01-01T00:00:00.000Z' } } as const

/** A store whose appends fail like this, one after the other; then they are written. */
function storeThatFails(...failures: Error[]) {
  const store = memoryEventStore()
  return {
    ...store,
    append: async (...asked: Parameters<typeof store.append>) => {
      const failure = failures.shift()
      if (failure) throw failure
      return store.append(...asked)
    },
  }
}

function append(store: ReturnType<typeof storeThatFails>) {
  const log = eventLog({ store, vault: memoryVault(), sleep: async () => undefined })
  return log.append('shop-main', NO_EVENTS, [{ event, caller }])
}

it('an append with an unknown outcome is repeated until it is known', async () => {
  const [one, two] = [new AppendAmbiguous('no answer'), new AppendAmbiguous('no answer')]
  expect(await append(storeThatFails(one, two))).toMatchObject({ revision: 0 })
})

it('the outcome stays unknown if the store is away at the repeat', async () => {
  const failing = storeThatFails(new AppendAmbiguous('no answer'), new EventStoreAway('away'))
  await expect(append(failing)).rejects.toBeInstanceOf(AppendAmbiguous)
})

it('an append that was not sent fails as away', async () => {
  await expect(append(storeThatFails(new EventStoreAway('away')))).rejects.toBeInstanceOf(EventStoreAway)
})

it.for([
  { what: 'appends', bytes: 10, most: 10_000 },
  { what: 'bytes', bytes: 1_000_000, most: 67 },
])('is away for one more while as many $what wait as it can hold', async ({ bytes, most }) => {
  const answers = Promise.withResolvers<void>()
  const memory = memoryEventStore()
  const slow = async (...asked: Parameters<typeof memory.append>) => answers.promise.then(() => memory.append(...asked))
  const log = eventLog({ store: { ...memory, append: slow }, vault: memoryVault(), sleep: async () => undefined })
  const shopOpened = { ...event, data: { ...event.data, vaultId: 'v'.repeat(bytes) } }
  const ask = async (stream: string) => log.append(stream, NO_EVENTS, [{ event: shopOpened, caller }])
  const asked = Array.from({ length: most }, async (_, index) => ask(`shop-${index}`))
  await expect(ask('shop-late')).rejects.toThrow(/cannot keep up/)
  answers.resolve()
  await Promise.all(asked)
  await ask('shop-late')
})

const damaged = async () => Promise.reject(new EventStoreDamaged('not what was written'))

it('reads of damaged events are counted', async () => {
  const store = { ...memoryEventStore(), readAll: damaged, readStream: damaged }
  const log = eventLog({ store, vault: memoryVault(), sleep: async () => undefined })
  const page = { after: START, limit: 10 }
  for (const read of [log.readStream('shop-main'), log.readAll(page), log.readAllStored(page)])
    await expect(read).rejects.toBeInstanceOf(EventStoreDamaged)
  expect(log.figures()).toEqual({ damagedReads: 3 })
})

it('the data of an order without a newer text opens', () => {
  const ash = { customerId: 'ash', key: new Uint8Array(32) }
  const personal = seal(ash, JSON.stringify({ marketIds: [] }), 'order-1', new Uint8Array(12))
  expect(openSealed({ orderId: '1', customerId: 'ash', personal }, new Map([['ash', ash.key]]))).toMatchObject({
    discordUsername: '',
  })
})
