import { SETTINGS_STREAM, STOCK_STREAM } from '../src/domain/stream-names.ts'
import { situationOf } from '../src/domain/order/situation.ts'
import { shopKeys, type ShopKeys } from '../src/shop/keys.ts'
import { DEFAULT_SETTINGS } from '../src/domain/settings/settings.ts'
import type { RecordedEvent } from '../src/log/event-log.ts'
import { NO_EVENTS } from '../src/engines/event-store/event-store.ts'
import { memoryVault } from '../src/engines/vault/testing/memory-vault.ts'
import { seededRandom } from '../src/ports/testing/clock.ts'
import { act, actionFor, actionGroups } from './actions.ts'
import { auditAtRest } from './audit-at-rest.ts'
import { Coverage } from './coverage.ts'
import { type Config, type ConfigOptions, configFor } from './config.ts'
import { type Dice, diceFor, seedOf } from './dice.ts'
import { newEngines, simulatedLog, type World } from './engines.ts'
import { Ledger } from './ledger.ts'
import { machinesFor } from './machines.ts'
import { comeToRest } from './rest.ts'
import { outside, Scheduler } from './scheduler.ts'
import { onRefundMade } from './sent-refunds.ts'
import { Shopping } from './shopping.ts'
import { type Switch, switchOff } from './without.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const STEPS_MAX = 5_000

export interface SimulationOptions extends ConfigOptions {
  /** Changes the order of turns and faults for the same shop, buyers and staff. */
  readonly schedule?: number
  readonly isTraced?: boolean
  readonly without?: Switch | undefined
}

export interface Outcome {
  readonly problems: readonly string[]
  readonly steps: number
  readonly events: number
  readonly actions: number
  readonly trace: readonly string[]
  readonly coverage: Coverage
}

let sharedKeys: Promise<ShopKeys> | undefined

/** Keys derive from one secret, so all seeds share them. */
async function keysForAll(): Promise<ShopKeys> {
  sharedKeys ??= shopKeys(memoryVault(), () => new Uint8Array(32).fill(7))
  return sharedKeys
}

/** Simulates the whole life of the shop that the seed draws. */
export async function simulate(options: SimulationOptions): Promise<Outcome> {
  const { seed, schedule = 0, without } = options
  const config = configFor(options, actionGroups)
  const scheduleSeed = seedOf(seed + schedule * 7_919, 'schedule')
  const scheduler = new Scheduler({
    startMs: START_MS,
    dice: diceFor(scheduleSeed),
    parkedShare: config.parkedShare,
    isTraced: options.isTraced ?? false,
  })
  const ledger = new Ledger()
  const coverage = new Coverage()
  // No faults happen while the shop opens, nor at the end.
  let isHealed = true
  const keys = await keysForAll()
  const machines = machinesFor(seed, (row) => coverage.reach('machines', row))
  const world: World = {
    ...newEngines(
      () => scheduler.nowMs,
      () => machines.othersBefore(),
    ),
    scheduler,
    dice: diceFor(seedOf(scheduleSeed, 'faults')),
    rate: (fault) => (isHealed ? 0 : (config.rates.get(fault) ?? 0)),
    onAppend: (events) => observe(events),
    onLateAppend: () => coverage.reach('machines', 'an append that lands later'),
    onDelivery: (orderId, thread) => shopping.onDeliveryCall(orderId, thread),
    onGiven: (orderId) => shopping.onGiven(orderId),
    onRefundMade: (refundId, thread) => onRefundMade(shopping, refundId, thread),
    onKeysDeleted: (customerIds) => ledger.keysDeleted(customerIds),
    clockError: (process) => machines.clockError(process),
    callers: new Map(),
    viewsAreScheduled: config.viewsAreScheduled,
  }
  /** With a rule switched off, its breach is expected: only harm counts. */
  const problems = (): readonly string[] => (without ? ledger.harm : ledger.problems)
  function observe(events: readonly RecordedEvent[]): void {
    ledger.take(events)
    scheduler.note(() => `  + ${events.map(describe).join(', ')}`)
  }
  const random = { ...seededRandom(seedOf(seed, 'ids')), fraction: () => world.dice.fraction() }
  const dice = diceFor(seedOf(seed, 'shopping'))
  const shopping = new Shopping({ world, ledger, coverage, config, keys, random, dice })
  ledger.onEvent = (event, row) => {
    coverage.reach('events', event.type)
    if (row?.shown.kind === 'placed') coverage.reach('situations', situationOf(row.shown))
    shopping.onEvent(event)
  }
  ledger.onAttention = (orderId, reason) => shopping.onAttention(orderId, reason)
  if (without) switchOff(without, { world, shopping, ledger })
  scheduler.stopsAfterWrite = () => world.rate('stopped-thread')
  await open(world, config)
  await shopping.start()
  scheduler.isInstant = false
  isHealed = false
  const actions = await actAndWait({ scheduler, problems, shopping, config, dice: diceFor(seedOf(seed, 'actions')) })
  if (problems().length === 0) {
    isHealed = true
    scheduler.note('--- arrivals end, faults are healed ---')
    await comeToRest(world, shopping, ledger)
    if (problems().length === 0) await auditAtRest({ world, shopping, ledger, keys })
  }
  return {
    problems: [...new Set(problems())],
    steps: scheduler.step,
    events: (await world.store.readAll({ after: '', limit: 10_000 })).length,
    actions,
    trace: scheduler.trace ?? [],
    coverage,
  }
}

interface Acting {
  readonly scheduler: Scheduler
  readonly problems: () => readonly string[]
  readonly shopping: Shopping
  readonly config: Config
  readonly dice: Dice
}

async function actAndWait({ scheduler, problems, shopping, config, dice }: Acting): Promise<number> {
  let actions = 0
  for (let step = 0; step < STEPS_MAX && problems().length === 0; step += 1) {
    const mayAct = actions < config.actions && scheduler.waiting < config.crowd
    if (mayAct && (scheduler.waiting === 0 || dice.chance(config.eagerness))) {
      if (await act(shopping, actionFor(config.weights, dice))) actions += 1
    } else if (!(await scheduler.turn()) && actions >= config.actions) return actions
  }
  return actions
}

async function open(world: World, config: Config): Promise<void> {
  const log = simulatedLog(world, outside)
  const at = new Date(world.scheduler.nowMs).toISOString()
  const caller = { requestId: 'open', correlationId: 'open', causationId: null, actor: 'system' } as const
  const changes = { ...DEFAULT_SETTINGS, basePriceCents: config.unitCents, preOrdersEnabled: config.preOrders }
  await log.append(STOCK_STREAM, NO_EVENTS, [
    { event: { type: 'StockSet', data: { quantityM: config.stockM, at } }, caller },
  ])
  await log.append(SETTINGS_STREAM, NO_EVENTS, [
    { event: { type: 'SettingsChanged', data: { changes, adminId: null, at } }, caller },
  ])
}

function describe(event: RecordedEvent): string {
  const { stream, revision, type, data } = event
  const traced = Object.entries(data).filter(([name]) => tracedFields.has(name))
  const facts = traced.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(' ')
  return `${stream.slice(0, 12)}@${revision} ${type} ${facts}`
}

const tracedFields = new Set(
  `serial quantityM claimAt attempt method paymentId receiptId amount askedAmount addedCents coversCents done pending failed reversedAmount
  refundedCents takenCents refundId sent why parts news isUnclear status answers reason
  totalCents expiresAt preOrder deliveryMode coinsGiven differenceM`.split(/\s+/),
)
