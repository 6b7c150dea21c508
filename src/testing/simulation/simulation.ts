import { shopKeys, type ShopKeys } from '../../commands/keys.ts'
import type { Policy as ShopPolicy } from '../../commands/shop.ts'
import { type PaymentMethod, paymentMethods } from '../../domain/order/events.ts'
import { DEFAULT_SETTINGS } from '../../domain/settings/settings.ts'
import type { RecordedEvent } from '../../event-store/event-log.ts'
import { NO_EVENTS } from '../../event-store/event-store.ts'
import { memoryVault } from '../../vault/memory-vault.ts'
import { seededRandom } from '../clock.ts'
import { actionFor, type ActionName, actionNames } from './actions.ts'
import { auditAtRest } from './audit-at-rest.ts'
import { Coverage } from './coverage.ts'
import { type Dice, diceFor, seedOf } from './dice.ts'
import { newEngines, simulatedLog, type World } from './engines.ts'
import { type FaultName, faultNames } from './faults.ts'
import { Ledger } from './ledger.ts'
import { comeToRest } from './rest.ts'
import { outside, Scheduler } from './scheduler.ts'
import { Shopping } from './shopping.ts'
import { stateRow } from './state-rows.ts'
import { type Theme, themes } from './themes.ts'
import type { Switch } from './without.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
/** Bounds of one run; what is drawn lies below. */
const ORDERS_MAX = 4
const ACTIONS_MAX = 60
const STEPS_MAX = 5_000

export interface SimulationOptions {
  readonly seed: number
  /** Another order of turns and faults for the same shop, buyers and staff. */
  readonly schedule?: number
  readonly ordersMax?: number
  readonly actionsMax?: number
  readonly processesMax?: number
  readonly offFaults?: readonly FaultName[]
  readonly offActions?: readonly ActionName[]
  readonly isTraced?: boolean
  readonly without?: Switch
}

export interface Outcome {
  readonly problems: readonly string[]
  readonly steps: number
  readonly events: number
  readonly actions: number
  readonly trace: readonly string[]
  readonly coverage: Coverage
}

export interface Config {
  readonly processes: number
  readonly orders: number
  readonly actions: number
  readonly stockM: number
  readonly preOrders: boolean
  readonly policy: ShopPolicy
  readonly weights: ReadonlyMap<ActionName, number>
  readonly rates: ReadonlyMap<FaultName, number>
  readonly parkedShare: number
  /** How eagerly something new is begun while calls are waiting. */
  readonly eagerness: number
  readonly viewsAreScheduled: boolean
  readonly allViews: boolean
  readonly crowd: number
  /** What most buyers of this shop pay with. */
  readonly favourite: PaymentMethod
}

let sharedKeys: Promise<ShopKeys> | undefined

/** Keys are functions of one secret: the same for all seeds. */
async function keysForAll(): Promise<ShopKeys> {
  sharedKeys ??= shopKeys(memoryVault(), () => new Uint8Array(32).fill(7))
  return sharedKeys
}

/** One whole life of the shop, drawn from the seed. */
export async function simulate(options: SimulationOptions): Promise<Outcome> {
  const { seed, schedule = 0, without } = options
  const config = configFor(options)
  const scheduleSeed = seedOf(seed + schedule * 7_919, 'schedule')
  const scheduler = new Scheduler({
    startMs: START_MS,
    dice: diceFor(scheduleSeed),
    parkedShare: config.parkedShare,
    isTraced: options.isTraced ?? false,
  })
  const ledger = new Ledger()
  const coverage = new Coverage()
  // The world is sound while the shop opens, and again when it is to come to rest.
  let isHealed = true
  const keys = await keysForAll()
  const world: World = {
    ...newEngines(() => scheduler.nowMs),
    scheduler,
    dice: diceFor(seedOf(scheduleSeed, 'faults')),
    rate: (fault) => (isHealed ? 0 : (config.rates.get(fault) ?? 0)),
    onAppend: (events) => observe(events),
    onDelivery: (orderId, thread) => shopping.onDeliveryCall(orderId, thread),
    onGiven: (orderId) => shopping.onGiven(orderId),
    callers: new Map(),
    viewsAreScheduled: config.viewsAreScheduled,
  }
  /** With a rule switched off, breaking it is no news: what counts is the harm. */
  const problems = (): readonly string[] => (without ? ledger.harm : ledger.problems)
  function observe(events: readonly RecordedEvent[]): void {
    ledger.take(events)
    scheduler.note(() => `  + ${events.map(describe).join(', ')}`)
  }
  ledger.onEvent = (event, row) => {
    coverage.reach('events', event.type)
    if (event.type === 'OrderNeedsAttention')
      for (const reason of event.data.reasons) coverage.reach('attention', reason)
    if (row) coverage.reach('states', stateRow(row))
    if (event.type === 'OrderCompleted') shopping.onCompleted(event.data.orderId, event.metadata.correlationId)
    if (event.type === 'PaymentReversed') shopping.reversedAtStep.set(event.data.orderId, scheduler.step)
    if (event.type === 'CaptureRequested') shopping.onCaptureRequested(event.data)
  }
  const random = { ...seededRandom(seedOf(seed, 'ids')), fraction: () => world.dice.fraction() }
  const shopping = new Shopping({
    world,
    ledger,
    coverage,
    config,
    keys,
    random,
    dice: diceFor(seedOf(seed, 'shopping')),
  })
  const undo = without?.apply({ world, shopping, ledger })
  try {
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
  } finally {
    undo?.()
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
      if (await shopping.act(actionFor(config.weights, dice))) actions += 1
    } else if (!(await scheduler.turn()) && actions >= config.actions) return actions
  }
  return actions
}

async function open(world: World, config: Config): Promise<void> {
  const log = simulatedLog(world, outside)
  const at = new Date(world.scheduler.nowMs).toISOString()
  const caller = { requestId: 'open', correlationId: 'open', causationId: null, actor: 'system' } as const
  const changes = { ...DEFAULT_SETTINGS, basePriceCents: 1_000, preOrdersEnabled: config.preOrders }
  await log.append('stock-main', NO_EVENTS, [
    { event: { type: 'StockSet', data: { quantityM: config.stockM, at } }, caller },
  ])
  await log.append('settings-shop', NO_EVENTS, [
    { event: { type: 'SettingsChanged', data: { changes, adminId: null, at } }, caller },
  ])
}

/** Without these nothing much happens. */
const essential: ReadonlySet<ActionName> = new Set(['place', 'start-payment', 'pay', 'sweep', 'project'])

/** Faults of a world outside that may last. */
const maybeHopeless: ReadonlySet<FaultName> = new Set(['bot-away', 'bot-silent', 'capture-away', 'capture-silent'])

function configFor(options: SimulationOptions): Config {
  const { seed, offFaults = [], offActions = [] } = options
  const dice = diceFor(seedOf(seed, 'config'))
  const theme: Theme = dice.pick(themes) ?? { name: 'anything', more: {} }
  const rates = new Map<FaultName, number>()
  for (const fault of faultNames) {
    const isOff = dice.chance(0.5)
    // Some worlds are hopeless for a while.
    const rate =
      maybeHopeless.has(fault) && dice.chance(0.3) ? 0.5 + dice.fraction() / 2 : 0.005 + dice.fraction() * 0.1
    rates.set(fault, isOff || offFaults.includes(fault) ? 0 : rate)
  }
  const weights = new Map<ActionName, number>()
  for (const [name, weight] of actionNames) {
    const share = dice.pick(essential.has(name) ? [0.6, 1, 1, 1.5, 3] : [0, 0.3, 0.6, 1, 1, 1.5, 3, 6]) ?? 1
    weights.set(name, offActions.includes(name) ? 0 : weight * share * (theme.more[name] ?? 1))
  }
  const isByCall = dice.chance(0.5)
  const stockM = dice.between(1, 6)
  const preOrders = dice.chance(0.35)
  const ttlMinutes = dice.pick([1, 2, 30]) ?? 1
  return {
    processes: Math.min(dice.between(1, 2), options.processesMax ?? 2),
    orders: Math.min(dice.between(1, ORDERS_MAX), options.ordersMax ?? ORDERS_MAX),
    actions: Math.min(dice.between(8, ACTIONS_MAX), options.actionsMax ?? ACTIONS_MAX),
    stockM: theme.stockM ?? stockM,
    preOrders: theme.preOrders ?? preOrders,
    policy: {
      orderTtlMinutes: theme.ttlMinutes ?? ttlMinutes,
      openOrdersMax: dice.chance(0.1) ? 2 : 100,
      paisePerUsd: 8_650,
      handover: theme.handover ?? (isByCall ? 'by-call' : 'by-staff'),
      publicUrl: 'https://shop.example',
      shopName: 'Shop',
    },
    weights,
    rates,
    parkedShare: offFaults.includes('parked-calls') ? 0 : (dice.pick([0, 0.03, 0.1, 0.25]) ?? 0),
    eagerness: dice.pick([0.1, 0.25, 0.5]) ?? 0.25,
    viewsAreScheduled: dice.chance(0.2),
    allViews: dice.chance(0.05),
    crowd: dice.between(2, 12),
    favourite: dice.pick(paymentMethods) ?? 'upi',
  }
}

function describe(event: RecordedEvent): string {
  const { stream, revision, type, data } = event
  const told = Object.entries(data).filter(([name]) => isTold.has(name))
  const facts = told.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(' ')
  return `${stream.slice(0, 12)}@${revision} ${type} ${facts}`
}

const isTold = new Set([
  'serial',
  'quantityM',
  'claimAt',
  'attempt',
  'method',
  'paymentId',
  'receiptId',
  'addedCents',
  'coversCents',
  'takenCents',
  'reasons',
  'reason',
  'totalCents',
  'expiresAt',
  'preOrder',
  'differenceM',
])
