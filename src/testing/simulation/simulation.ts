import { shopKeys, type ShopKeys } from '../../shop/keys.ts'
import type { Policy as ShopPolicy } from '../../shop/shop.ts'
import { type DeliveryMode, deliveryModes } from '../../domain/order/events.ts'
import { DEFAULT_SETTINGS } from '../../domain/settings/settings.ts'
import { type PaymentMethod, paymentMethods } from '../../domain/payment-methods.ts'
import type { RecordedEvent } from '../../event-store/event-log.ts'
import { NO_EVENTS } from '../../event-store/event-store.ts'
import { memoryVault } from '../../vault/testing/memory-vault.ts'
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
import { anything, type Theme, themes } from './themes.ts'
import type { Switch } from './without.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
/** Bounds of one run; what is drawn lies below. */
const ORDERS_MAX = 4
const ACTIONS_MAX = 60
/** Whatever else happens, some shops just live. */
const UNTHEMED_SHARE = 0.15
/** How often staff look at what needs attention rather than at any order. */
const ATTENTION_SHARE = 0.4
const KEY_SHARE = 0.6
const MISTAKEN_SHARE = 0.2
/** How many worlds have processes with other configurations, where their theme does not say. */
const CHANGING_WORLDS_SHARE = 0.25
const MODE_CHANGE_SHARE = 0.6
const STEPS_MAX = 5_000

export interface SimulationOptions {
  readonly seed: number
  /** Another order of turns and faults for the same shop, buyers and staff. */
  readonly schedule?: number
  /** The shop's days are about this, whatever the seed has drawn. */
  readonly theme?: string
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
  readonly policy: Omit<ShopPolicy, 'deliveryMode'>
  readonly deliveryMode: DeliveryMode
  /** How often a process that starts hands over in another way than most of this shop. */
  readonly modeChangeShare: number
  readonly weights: ReadonlyMap<ActionName, number>
  readonly rates: ReadonlyMap<FaultName, number>
  readonly parkedShare: number
  /** How eagerly something new is begun while calls are waiting. */
  readonly eagerness: number
  readonly viewsAreScheduled: boolean
  readonly allViews: boolean
  /** Persons can be erased: that asks the view of orders. */
  readonly mayErase: boolean
  readonly attentionShare: number
  /** How often staff say that coins were not given, and do not ask. */
  readonly mistakenShare: number
  /** What every buyer wants, or anything. */
  readonly quantityM: number | undefined
  readonly crowd: number
  /** How often time waits until a call is open whose deadline may come. */
  readonly patience: number
  /** How many orders come with an Idempotency-Key. */
  readonly keyShare: number
  /** What most buyers of this shop pay with. */
  readonly favourite: PaymentMethod
  readonly favouriteShare: number
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
    onKeysDeleted: (customerIds) => ledger.keysDeleted(customerIds),
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
    if (event.type === 'OrderNeedsAttention') {
      for (const reason of event.data.reasons) coverage.reach('attention', reason)
      shopping.onAttention(event.data.orderId, event.data.reasons)
    }
    if (row) coverage.reach('states', stateRow(row))
    if (event.type === 'OrderCompleted') shopping.onCompleted(event.data.orderId, event.metadata.correlationId)
    if (event.type === 'OrderReady') shopping.onReady(event.data, event.metadata.correlationId)
    if (event.type === 'StockReleased') shopping.onReleased(event.data)
    if (event.type === 'PaymentReversed') shopping.reversedAtStep.set(event.data.orderId, scheduler.step)
    if (event.type === 'CaptureRequested') shopping.onCaptureRequested(event.data)
    if (event.type === 'CustomerErased') shopping.onErased(event.data.customerId, event.metadata.correlationId)
    else if (world.callers.get(event.metadata.correlationId)?.isErasing)
      ledger.breach(`${event.type} was brought about by erasing somebody`)
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
  const theme = themeFor(options.theme, dice)
  const rates = new Map<FaultName, number>()
  for (const fault of faultNames) {
    const isOff = dice.chance(0.5)
    // Some worlds are hopeless for a while.
    const rate =
      maybeHopeless.has(fault) && dice.chance(0.3) ? 0.5 + dice.fraction() / 2 : 0.005 + dice.fraction() * 0.1
    const drawn = theme.rates?.[fault] ?? (isOff ? 0 : rate)
    rates.set(fault, offFaults.includes(fault) ? 0 : drawn)
  }
  const weights = new Map<ActionName, number>()
  for (const [name, weight] of actionNames) {
    const share = dice.pick(essential.has(name) ? [0.6, 1, 1, 1.5, 3] : [0, 0.3, 0.6, 1, 1, 1.5, 3, 6]) ?? 1
    weights.set(name, offActions.includes(name) ? 0 : weight * share * (theme.more[name] ?? 1))
  }
  const deliveryMode = dice.pick(deliveryModes) ?? 'staff'
  const stockM = dice.between(1, 6)
  const preOrders = dice.chance(0.35)
  const ttlMinutes = dice.pick([1, 2, 30]) ?? 1
  const processes = dice.between(1, 2)
  const orders = dice.between(1, ORDERS_MAX)
  const parkedShare = dice.pick([0, 0.03, 0.1, 0.25]) ?? 0
  const allViews = dice.chance(0.05)
  const actions = dice.between(8, ACTIONS_MAX)
  const favourite = dice.pick(paymentMethods) ?? 'upi'
  const modeChangeShare = dice.chance(CHANGING_WORLDS_SHARE) ? MODE_CHANGE_SHARE : 0
  return {
    processes: Math.min(theme.processes ?? processes, options.processesMax ?? processes),
    orders: Math.min(theme.orders ?? orders, options.ordersMax ?? theme.orders ?? orders),
    actions: Math.min(theme.actions ?? actions, options.actionsMax ?? theme.actions ?? actions),
    stockM: theme.stockM ?? stockM,
    preOrders: theme.preOrders ?? preOrders,
    policy: {
      orderTtlMinutes: theme.ttlMinutes ?? ttlMinutes,
      openOrdersMax: dice.chance(0.1) ? 2 : 100,
      paisePerUsd: 8_650,
      publicUrl: 'https://shop.example',
      shopName: 'Shop',
    },
    deliveryMode: theme.deliveryMode ?? deliveryMode,
    modeChangeShare: theme.modeChangeShare ?? (theme.deliveryMode ? 0 : modeChangeShare),
    weights,
    rates,
    parkedShare: offFaults.includes('parked-calls') ? 0 : (theme.parkedShare ?? parkedShare),
    eagerness: theme.eagerness ?? dice.pick([0.1, 0.25, 0.5]) ?? 0.25,
    viewsAreScheduled: dice.chance(0.2),
    allViews,
    mayErase: allViews || theme.erases === true,
    attentionShare: theme.attentionShare ?? ATTENTION_SHARE,
    mistakenShare: theme.mistakenShare ?? MISTAKEN_SHARE,
    quantityM: theme.quantityM,
    keyShare: theme.allHaveKeys === true ? 1 : KEY_SHARE,
    patience: theme.patience ?? 0,
    crowd: theme.crowd ?? dice.between(2, 12),
    favourite: theme.favourite ?? favourite,
    favouriteShare: theme.favourite ? 0.95 : 0.6,
  }
}

function themeFor(name: string | undefined, dice: Dice): Theme {
  const isUnthemed = dice.chance(UNTHEMED_SHARE)
  const drawn = dice.pick(themes)
  if (name === undefined) return isUnthemed || !drawn ? anything : drawn
  const asked = [anything, ...themes].find((theme) => theme.name === name)
  if (!asked) throw new Error(`there is no theme '${name}'`)
  return asked
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
  'deliveryMode',
  'coinsGiven',
  'differenceM',
])
