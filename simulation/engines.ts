import { isStockStream, orderIdOf } from '../src/domain/stream-names.ts'
import { CALL_TIMEOUT_MINUTES } from '../src/domain/order/deadline.ts'
import type { PaymentMethod } from '../src/domain/payment-methods.ts'
import { eventLog, type EventLog, type RecordedEvent } from '../src/log/event-log.ts'
import { decode } from '../src/log/event-codec.ts'
import {
  AppendAmbiguous,
  type AppendResult,
  type EventStore,
  EventStoreAway,
  type EventToAppend,
  type StoredEvent,
} from '../src/engines/event-store/event-store.ts'
import { memoryEventStore } from '../src/engines/event-store/testing/memory-event-store.ts'
import { type PaymentProvider, type PaymentReport, ProviderAway } from '../src/payments/payment-provider.ts'
import { memoryVaultRows } from '../src/engines/vault/testing/memory-vault.ts'
import { isErased, vaultOver } from '../src/engines/vault/vault-rules.ts'
import { findThenInsert, type VaultRow, type VaultRows } from '../src/engines/vault/vault-rows.ts'
import { type Vault, VaultAway } from '../src/engines/vault/vault.ts'
import { temporaryViewStore } from '../src/engines/view-store/sqlite-view-store.ts'
import { type ViewStore, ViewStoreAway } from '../src/engines/view-store/view-store.ts'
import type { Message } from '../src/messages/message-way.ts'
import { interposed } from '../src/engines/testing/interposed.ts'
import { Bank } from './bank.ts'
import type { Dice } from './dice.ts'
import type { FaultName } from './faults.ts'
import { outside, type Scheduler, type Thread } from './scheduler.ts'

const CALL_TIMEOUT_MS = CALL_TIMEOUT_MINUTES * 60_000

/** The state that all processes share. */
export interface World {
  readonly scheduler: Scheduler
  readonly store: EventStore
  readonly vaultRows: VaultRows
  readonly vault: Vault
  readonly views: ViewStore
  readonly bank: Bank
  /** When the owner's bot gave the coins of an order. */
  readonly botGave: Map<string, number>
  /** Coins that were given, by order. */
  readonly given: Map<string, Giving>
  /** All that were accepted. */
  readonly messages: Message[]
  readonly dice: Dice
  onLateAppend(): void
  /** How far a process's clock is ahead of true time. */
  clockError(process: string): number
  /** Probability of a fault per occasion; 0 while the world is healed. */
  rate(fault: FaultName): number
  /** Called with each event once, in the order of the log, right after its append. */
  onAppend(events: readonly RecordedEvent[]): void
  /** Called when a call to deliver an order starts. */
  onDelivery(orderId: string, thread: Thread): void
  /** Called when the bot gives the coins. */
  onGiven(orderId: string): void
  /** A provider makes a refund. */
  onRefundMade(refundId: string, thread: Thread): void
  /** Called when the keys of these customers are deleted. */
  onKeysDeleted(customerIds: readonly string[]): void
  /** The thread of each request, by correlation id. */
  readonly callers: Map<string, Thread>
  readonly viewsAreScheduled: boolean
}

export interface Giving {
  /** `instant`: the order's completion gives them. */
  readonly by: 'bot' | 'hand' | 'instant'
  /** The order's reservation at that moment. */
  readonly serial: number | undefined
}

export function newEngines(now: () => number, othersBefore: () => number) {
  const vaultRows = memoryVaultRows()
  return {
    store: memoryEventStore({ now, othersBefore }),
    vaultRows,
    vault: vaultOver(vaultRows),
    views: temporaryViewStore(),
    bank: new Bank(),
    botGave: new Map<string, number>(),
    given: new Map<string, Giving>(),
    messages: [] as Message[],
  }
}

const decoded = new WeakMap<StoredEvent, RecordedEvent>()

/** Stored events never change, so each is checked once. */
function decodedOnce(stored: StoredEvent): RecordedEvent {
  const known = decoded.get(stored)
  if (known) return known
  const event = decode(stored)
  if (event.type === 'unreadable') throw new Error(`${event.storedType}: ${event.reason}`)
  decoded.set(stored, event)
  return event
}

/** The log of one thread: the product's retries, on a store that fails in the ways that the port allows. */
export function simulatedLog(world: World, thread: Thread): EventLog {
  const { scheduler } = world
  const store = simulatedStore(world, thread)
  const sleep = async (ms: number): Promise<void> => simulatedSleep(scheduler, thread, ms)
  const log = eventLog({ store, vault: simulatedVault(world, thread), sleep })
  return {
    ...log,
    async readStream(stream, fromRevision = 0, limit = 5_000) {
      const events = (await store.readStream(stream, { fromRevision, limit })).map(decodedOnce)
      thread.reads.set(stream, fromRevision + events.length)
      return events
    },
    async readAll(page) {
      return (await store.readAll(page)).map(decodedOnce)
    },
    decode: decodedOnce,
  }
}

export async function simulatedSleep(scheduler: Scheduler, thread: Thread, ms: number): Promise<void> {
  await scheduler.call(thread, `sleep ${Math.round(ms)} ms`, async () => undefined, { sleepMs: ms })
}

function simulatedStore(world: World, thread: Thread): EventStore {
  const { scheduler, store, dice } = world

  async function append(stream: string, expected: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    const write = async (): Promise<AppendResult> => observedAppend(world, stream, expected, events)
    const isStockAway = isStockStream(stream) && dice.chance(world.rate('stock-away'))
    if (isStockAway || dice.chance(world.rate('store-away'))) throw new EventStoreAway('simulated')
    if (dice.chance(world.rate('ambiguous-append'))) {
      const isDone = dice.chance(0.5)
      scheduler.note(isDone ? '  ambiguous: done' : '  ambiguous: not done')
      if (isDone) await write()
      throw new AppendAmbiguous('simulated')
    }
    if (dice.chance(world.rate('late-append'))) {
      scheduler.note('  ambiguous: lands later')
      scheduler.later(outside, `late append to ${stream}`, async () => {
        await write()
        world.onLateAppend()
      })
      throw new AppendAmbiguous('simulated')
    }
    return write()
  }

  const scheduled = interposed(store, async (make, { name, given }) => {
    if (name === 'append') {
      const [stream, expected, events] = given as Parameters<EventStore['append']>
      const what = `append ${shortName(stream)}@${expected + 1} ${events.map(({ type }) => type).join(' ')}`
      return scheduler.call(thread, what, async () => append(stream, expected, events), { isWrite: true })
    }
    if (!reads.has(name)) return make()
    return scheduler.call(thread, name === 'readStream' ? `read ${shortName(String(given[0]))}` : name, async () => {
      if (dice.chance(world.rate('store-away'))) throw new EventStoreAway('simulated')
      return make()
    })
  })
  // The scheduler wakes followers of the log, since virtual time has no waiting.
  return Object.assign(Object.create(scheduled) as EventStore, { waitForEvents: async () => undefined })
}

const reads = new Set(['readStream', 'readAll', 'head'])

async function observedAppend(
  world: World,
  stream: string,
  expected: number,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  const { store } = world
  const head = await store.head()
  const result = await store.append(stream, expected, events)
  const added = await store.readAll({ after: head, limit: 5_000 })
  if (added.length > 0) world.onAppend(added.map(decodedOnce))
  return result
}

/** The production rules on rows; the schedule decides when each call happens. */
export function simulatedVault(world: World, thread: Thread): Vault {
  const { scheduler, vaultRows, dice } = world
  const rows = interposed(vaultRows, async (make, { name, given: [first, second] }) => {
    const made = async (): Promise<unknown> => {
      const answer = await make()
      if (name === 'write' && answer === true && isErased(first as VaultRow))
        world.onKeysDeleted([(first as VaultRow).id])
      return answer
    }
    const call = async () => mayBeAway(world, 'vault-away', new VaultAway('simulated'), made)
    const kind = { isWrite: vaultWrites.has(name), isSlow: dice.chance(world.rate('slow-vault')) }
    const what = name === 'write' ? (first as VaultRow).id : second
    return scheduler.call(thread, `vault ${name} ${String(what).slice(0, 6)}`, call, kind)
  })
  // Both calls of it are scheduled.
  return vaultOver({ ...rows, findOrInsert: async (row) => findThenInsert(rows, row) })
}

const vaultWrites = new Set(['write', 'delete', 'wipe'])

/** Half of the failing calls take effect. */
async function mayBeAway<Answer>(
  world: World,
  fault: FaultName,
  error: Error,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const isAway = world.dice.chance(world.rate(fault))
  if (isAway && world.dice.chance(0.5)) throw error
  const answer = await make()
  if (isAway) throw error
  return answer
}

export function simulatedViews(world: World, thread: Thread): ViewStore {
  const { scheduler, views } = world
  if (!world.viewsAreScheduled) return views
  return interposed(views, async (make, { name }) => {
    if (!viewCalls.has(name)) return make()
    const call = async () => mayBeAway(world, 'views-away', new ViewStoreAway('simulated'), make)
    return scheduler.call(thread, `views ${name}`, call, { isWrite: name === 'fold' })
  })
}

const viewCalls = new Set(['load', 'fold', 'find'])

/** A provider whose calls take effect before their timeout or not at all, and whose responses may get lost. */
export function simulatedProvider(world: World, thread: Thread, method: PaymentMethod): PaymentProvider {
  const { scheduler, bank } = world
  const asked = async <Answer>(name: string, work: () => Answer, faults = providerFaults): Promise<Answer> =>
    outwardCall(world, thread, { name: `${method} ${name}`, work, away: () => new ProviderAway('simulated'), faults })
  const provider = {
    name: method,
    create: async (request: Parameters<PaymentProvider['create']>[0]) =>
      asked(`create ${request.reference}`, () => bank.create(method, request)),
    check: async (payment: Parameters<PaymentProvider['check']>[0]) =>
      told(thread, await asked(`check ${payment.paymentId}`, () => bank.check(payment))),
    limits: async () => ({ minMinor: method === 'upi' ? bank.upiMinMinor : 1, maxMinor: 10_000_000 }),
  }
  const refund: PaymentProvider['refund'] = async (_payment, wish) =>
    asked(`refund ${wish.refundId.slice(0, 6)}`, () =>
      bank.sendRefund(wish, { nowMs: scheduler.nowMs, onMade: () => world.onRefundMade(wish.refundId, thread) }),
    )
  if (method === 'crypto')
    return { ...provider, find: async (paymentId) => asked(`find ${paymentId}`, () => bank.find(paymentId)) }
  if (method === 'upi') return { ...provider, refund, ...(bank.isOneTransfer && { isOneTransfer: true }) }
  return {
    ...provider,
    refund,
    capture: async (payment, requestId): Promise<PaymentReport> =>
      told(
        thread,
        await asked(`capture ${payment.paymentId}`, () => bank.capture(payment, requestId, scheduler.nowMs), {
          away: 'capture-away',
          silent: 'capture-silent',
        }),
      ),
  }
}

function told(thread: Thread, report: PaymentReport): PaymentReport {
  thread.report = report
  return report
}

interface CallFaults {
  /** The call never arrives. */
  readonly away: FaultName
  /** The call arrives, but its response is lost. */
  readonly silent: FaultName
}

const providerFaults: CallFaults = { away: 'provider-away', silent: 'lost-reply' }

/** A call to the outside, answered in time, too late, or with a lost response. */
export async function outwardCall<Answer>(
  world: World,
  thread: Thread,
  call: { name: string; work: () => Answer; away: () => Error; faults: CallFaults },
): Promise<Answer> {
  const { scheduler, dice } = world
  const { name, work, away, faults } = call
  const answer = await scheduler.call(
    thread,
    name,
    async (begunMs) => {
      // The call was delayed beyond its timeout, so it never arrived.
      if (scheduler.nowMs > begunMs + CALL_TIMEOUT_MS) throw away()
      if (dice.chance(world.rate(faults.away))) throw away()
      const answer = work()
      if (dice.chance(world.rate(faults.silent))) throw away()
      return answer
    },
    { isWrite: true, isSlow: dice.chance(world.rate('slow-calls')) },
  )
  // The response has arrived, but the thread pauses before using it.
  if (dice.chance(world.rate('stalls')))
    await scheduler.call(thread, 'stalled', async () => undefined, { isSlow: true })
  return answer
}

function shortName(stream: string): string {
  return orderIdOf(stream) !== undefined ? stream.slice(0, 12) : stream.slice(0, 24)
}
