import { parseConfig } from '../src/config.ts'
import { deliveryModes } from '../src/domain/words.ts'
import { paymentMethods } from '../src/domain/payment-methods.ts'
import { type Dice, diceFor, seedOf } from './dice.ts'
import { type FaultName, faultNames } from './faults.ts'
import { anything, type Theme, themes, themesByName } from './themes.ts'

/** Limits of the world that a seed draws. */
export interface ConfigOptions {
  readonly seed: number
  /** Overrides the theme that the seed draws. */
  readonly theme?: string | undefined
  readonly ordersMax?: number | undefined
  readonly actionsMax?: number | undefined
  readonly processesMax?: number | undefined
  readonly offFaults?: readonly FaultName[]
  readonly offActions?: readonly string[]
}

/** Actions by name, in groups. Only some worlds have the further groups. */
type Groups = Readonly<Record<string, Readonly<Record<string, { readonly weight: number }>>>>

const UNIT_CENTS = 1_000
/** For exact amounts: totals that a sum of rounded parts misses. */
const smallPrices = [5, 25, 48, 95, 119, 157, 225, UNIT_CENTS]

/** Share of shops without a theme. */
const UNTHEMED_SHARE = 0.15

/** Actions that every world needs. */
const essential = new Set(['place', 'start-payment', 'pay', 'sweep', 'project'])

/** Only in worlds whose theme asks for them, so that other worlds draw the same as before. */
const themed = new Set(['staff-refund'])

/** Faults of the outside that may last long. */
const maybeHopeless: ReadonlySet<FaultName> = new Set(['bot-away', 'bot-silent', 'capture-away', 'capture-silent'])

/** Everything that a seed decides before the start. */
export function configFor(options: ConfigOptions, groups: Groups) {
  const { seed, offFaults = [] } = options
  const dice = diceFor(seedOf(seed, 'config'))
  const theme = themeFor(options.theme, dice)
  const { settings, rates: fixed = {} } = theme
  const rates = new Map<FaultName, number>()
  for (const fault of faultNames) {
    const isOff = dice.chance(0.5)
    // In some worlds these faults are frequent.
    const rate =
      maybeHopeless.has(fault) && dice.chance(0.3) ? 0.5 + dice.fraction() / 2 : 0.005 + dice.fraction() * 0.1
    const drawn = fixed[fault] ?? (isOff ? 0 : rate)
    rates.set(fault, offFaults.includes(fault) ? 0 : drawn)
  }
  const weights = weightsFor(options, { theme, dice, groups })
  const drawn = {
    deliveryMode: dice.pick(deliveryModes) ?? 'staff',
    stockM: dice.between(1, 6),
    preOrders: dice.chance(0.35),
    ttlMinutes: dice.pick([1, 2, 30]) ?? 1,
    processes: dice.between(1, 2),
    orders: dice.between(1, 4),
    parkedShare: dice.pick([0, 0.03, 0.1, 0.25]) ?? 0,
    allViews: dice.chance(0.05),
    actions: dice.between(8, 60),
    // The method that most buyers of this shop use.
    favourite: dice.pick(paymentMethods) ?? 'upi',
    // How often a new process has another delivery mode than most of this shop.
    modeChangeShare: dice.chance(0.25) && settings['deliveryMode'] === undefined ? 0.6 : 0,
    openOrdersMax: dice.chance(0.1) ? 2 : 100,
    // How often a new action starts while calls are waiting.
    eagerness: 'eagerness' in settings ? 0 : (dice.pick([0.1, 0.25, 0.5]) ?? 0.25),
    viewsAreScheduled: dice.chance(0.2),
    crowd: 'crowd' in settings ? 0 : dice.between(2, 12),
    // How often staff pick an order that needs attention rather than any; 1: always.
    attentionShare: 0.4,
    // How often staff say that coins were not given, without checking.
    mistakenShare: 0.2,
    // What every buyer orders; 0: any quantity.
    quantityM: 0,
    // Share of orders with an Idempotency-Key.
    keyShare: 0.6,
    // How often deadlines wait until a call is open.
    patience: 0,
    favouriteShare: settings['favourite'] === undefined ? 0.6 : 0.95,
    // Coins arrive in every way, and a repeated create opens another address.
    coins: false,
    // Payers dispute payments.
    disputes: false,
    // Prices are small, and providers correct, withdraw and refund exact amounts.
    amounts: false,
    unitCents: UNIT_CENTS,
    // Money stays unconfirmed, and reversals are undone.
    seen: false,
    // Messages to owner and buyers, or refunds, are sent.
    messages: false,
    sends: false,
  }
  // An erasure reads the view of orders.
  const own = { ...drawn, mayErase: drawn.allViews, ...(settings as Partial<typeof drawn>) }
  if (own.amounts) own.unitCents = diceFor(seedOf(seed, 'price')).pick(smallPrices) ?? UNIT_CENTS
  for (const [name, value] of Object.entries(settings))
    if (typeof value !== typeof { ...drawn, mayErase: true }[name as keyof typeof drawn])
      throw new Error(`a theme sets '${name}' to ${value}`)
  return {
    ...own,
    processes: Math.min(own.processes, options.processesMax ?? drawn.processes),
    orders: Math.min(own.orders, options.ordersMax ?? own.orders),
    actions: Math.min(own.actions, options.actionsMax ?? own.actions),
    shop: {
      ...parseConfig({ PUBLIC_URL: 'https://shop.example', SHOP_NAME: 'Shop', PAYMENTS: 'sandbox' }),
      ORDER_TTL_MINUTES: own.ttlMinutes,
      OPEN_ORDERS_MAX: own.openOrdersMax,
      paisePerUsd: 8_650,
    },
    weights,
    rates,
    parkedShare: offFaults.includes('parked-calls') ? 0 : own.parkedShare,
  }
}

export type Config = ReturnType<typeof configFor>

function weightsFor(
  { seed, offActions = [] }: ConfigOptions,
  { theme, dice, groups }: { theme: Theme; dice: Dice; groups: Groups },
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  const coinDice = diceFor(seedOf(seed, 'coins'))
  for (const [group, actions] of Object.entries(groups)) {
    if (group !== 'usual' && theme.settings[group] !== true) continue
    for (const [name, { weight }] of Object.entries(actions)) {
      if (themed.has(name) && theme.more[name] === undefined) continue
      const usual = essential.has(name) ? [0.6, 1, 1, 1.5, 3] : [0, 0.3, 0.6, 1, 1, 1.5, 3, 6]
      const share = group === 'coins' ? coinDice.pick([0.3, 1, 1, 3]) : group === 'usual' ? dice.pick(usual) : 1
      weights.set(name, offActions.includes(name) ? 0 : weight * (share ?? 1) * (theme.more[name] ?? 1))
    }
  }
  for (const name of Object.keys(theme.more))
    if (!weights.has(name)) throw new Error(`a theme knows an action '${name}'`)
  return weights
}

function themeFor(name: string | undefined, dice: Dice): Theme {
  const isUnthemed = dice.chance(UNTHEMED_SHARE)
  const drawn = dice.pick(Object.keys(themes)) ?? anything
  const theme = { ...themes, ...themesByName }[name ?? (isUnthemed ? anything : drawn)]
  if (!theme) throw new Error(`there is no theme '${name}'`)
  return theme
}
