import { deliveryModes } from '../../domain/words.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { type Dice, diceFor, seedOf } from './dice.ts'
import { type FaultName, faultNames } from './faults.ts'
import { anything, type Theme, themes } from './themes.ts'

/** What bounds the life that a seed draws. */
export interface ConfigOptions {
  readonly seed: number
  /** The shop's days are about this, whatever the seed has drawn. */
  readonly theme?: string | undefined
  readonly ordersMax?: number | undefined
  readonly actionsMax?: number | undefined
  readonly processesMax?: number | undefined
  readonly offFaults?: readonly FaultName[]
  readonly offActions?: readonly string[]
}

/** Actions by their names, in groups; those beside the usual ones are of worlds that have them. */
type Groups = Readonly<Record<string, Readonly<Record<string, { readonly weight: number }>>>>

/** Share of shops without a theme. */
const UNTHEMED_SHARE = 0.15

/** Without these nothing much happens. */
const essential = new Set(['place', 'start-payment', 'pay', 'sweep', 'project'])

/** Only where the theme asks for it: what other worlds draw stays as it was. */
const themed = new Set(['staff-refund'])

/** Faults of a world outside that may last. */
const maybeHopeless: ReadonlySet<FaultName> = new Set(['bot-away', 'bot-silent', 'capture-away', 'capture-silent'])

/** Everything that a seed decides before its life begins. */
export function configFor(options: ConfigOptions, groups: Groups) {
  const { seed, offFaults = [] } = options
  const dice = diceFor(seedOf(seed, 'config'))
  const theme = themeFor(options.theme, dice)
  const { settings } = theme
  const rates = new Map<FaultName, number>()
  for (const fault of faultNames) {
    const isOff = dice.chance(0.5)
    // Some worlds are hopeless for a while.
    const rate =
      maybeHopeless.has(fault) && dice.chance(0.3) ? 0.5 + dice.fraction() / 2 : 0.005 + dice.fraction() * 0.1
    const drawn = theme.rates[fault] ?? (isOff ? 0 : rate)
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
    // What most buyers of this shop pay with.
    favourite: dice.pick(paymentMethods) ?? 'upi',
    // How often a process that starts hands over in another way than most of this shop.
    modeChangeShare: dice.chance(0.25) && settings['deliveryMode'] === undefined ? 0.6 : 0,
    openOrdersMax: dice.chance(0.1) ? 2 : 100,
    // How eagerly something new is begun while calls are waiting.
    eagerness: 'eagerness' in settings ? 0 : (dice.pick([0.1, 0.25, 0.5]) ?? 0.25),
    viewsAreScheduled: dice.chance(0.2),
    crowd: 'crowd' in settings ? 0 : dice.between(2, 12),
    // How often staff look at what needs attention rather than at any order; 1: they wait for it.
    attentionShare: 0.4,
    // How often staff say that coins were not given, and do not ask.
    mistakenShare: 0.2,
    // Staff who refund say so, though they were given.
    mistakenRefunds: false,
    // What every buyer wants, or 0: anything.
    quantityM: 0,
    // How many orders come with an Idempotency-Key.
    keyShare: 0.6,
    // How often time waits until a call is open whose deadline may come.
    patience: 0,
    favouriteShare: settings['favourite'] === undefined ? 0.6 : 0.95,
    // Coins arrive in every way, and a repeated create opens another address.
    coins: false,
    // Payers dispute what they paid.
    disputes: false,
    // Money stays a sighting, and reversals are undone.
    seen: false,
  }
  // Persons can be erased: that asks the view of orders.
  const own = { ...drawn, mayErase: drawn.allViews, ...(settings as Partial<typeof drawn>) }
  for (const [name, value] of Object.entries(settings))
    if (typeof value !== typeof { ...drawn, mayErase: true }[name as keyof typeof drawn])
      throw new Error(`theme '${theme.name}' sets '${name}' to ${value}`)
  return {
    ...own,
    processes: Math.min(own.processes, options.processesMax ?? drawn.processes),
    orders: Math.min(own.orders, options.ordersMax ?? own.orders),
    actions: Math.min(own.actions, options.actionsMax ?? own.actions),
    terms: {
      orderTtlMinutes: own.ttlMinutes,
      openOrdersMax: own.openOrdersMax,
      paisePerUsd: 8_650,
      publicUrl: 'https://shop.example',
      shopName: 'Shop',
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
    if (!weights.has(name)) throw new Error(`theme '${theme.name}' knows an action '${name}'`)
  return weights
}

function themeFor(name: string | undefined, dice: Dice): Theme {
  const isUnthemed = dice.chance(UNTHEMED_SHARE)
  const drawn = dice.pick(themes)
  if (name === undefined) return isUnthemed || !drawn ? anything : drawn
  const asked = [anything, ...themes].find((theme) => theme.name === name)
  if (!asked) throw new Error(`there is no theme '${name}'`)
  return asked
}
