import { deliveryModes } from '../../domain/words.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { actionGroups, type ActionName } from './actions.ts'
import type { Action } from './action.ts'
import { type Dice, diceFor, seedOf } from './dice.ts'
import { type FaultName, faultNames } from './faults.ts'
import type { Life } from './life.ts'
import { anything, type Theme, themes } from './themes.ts'

/** Bounds of one run; what is drawn lies below. */
const ORDERS_MAX = 4
const ACTIONS_MAX = 60
/** Share of shops without a theme. */
const UNTHEMED_SHARE = 0.15
/** How often staff look at what needs attention rather than at any order. */
const ATTENTION_SHARE = 0.4
const KEY_SHARE = 0.6
const MISTAKEN_SHARE = 0.2
/** How many worlds have processes with other configurations, where their theme does not say. */
const CHANGING_WORLDS_SHARE = 0.25
const MODE_CHANGE_SHARE = 0.6

/** What bounds the life that a seed draws. */
export interface ConfigOptions {
  readonly seed: number
  /** The shop's days are about this, whatever the seed has drawn. */
  readonly theme?: string | undefined
  readonly ordersMax?: number | undefined
  readonly actionsMax?: number | undefined
  readonly processesMax?: number | undefined
  readonly offFaults?: readonly FaultName[]
  readonly offActions?: readonly ActionName[]
}

/** Without these nothing much happens. */
const essential: ReadonlySet<ActionName> = new Set(['place', 'start-payment', 'pay', 'sweep', 'project'])

const sharesOf = (name: ActionName) => (essential.has(name) ? [0.6, 1, 1, 1.5, 3] : [0, 0.3, 0.6, 1, 1, 1.5, 3, 6])

/** Only where the theme asks for it: what other worlds draw stays as it was. */
const themed: ReadonlySet<ActionName> = new Set(['staff-refund'])

/** Faults of a world outside that may last. */
const maybeHopeless: ReadonlySet<FaultName> = new Set(['bot-away', 'bot-silent', 'capture-away', 'capture-silent'])

/** Everything that a seed decides before its life begins. */
export function configFor(options: ConfigOptions): Life {
  const { seed, offFaults = [], offActions = [] } = options
  const dice = diceFor(seedOf(seed, 'config'))
  const theme = themeFor(options.theme, dice)
  const rates = new Map<FaultName, number>()
  for (const fault of faultNames) {
    const isOff = dice.chance(0.5)
    // Some worlds are hopeless for a while.
    const rate =
      maybeHopeless.has(fault) && dice.chance(0.3) ? 0.5 + dice.fraction() / 2 : 0.005 + dice.fraction() * 0.1
    const drawn = theme.rates[fault] ?? (isOff ? 0 : rate)
    rates.set(fault, offFaults.includes(fault) ? 0 : drawn)
  }
  const weights = new Map<ActionName, number>()
  const coinDice = diceFor(seedOf(seed, 'coins'))
  for (const [group, actions] of Object.entries(actionGroups)) {
    if (group !== 'usual' && theme[group as Exclude<keyof typeof actionGroups, 'usual'>] !== true) continue
    for (const [name, { weight }] of Object.entries(actions) as [ActionName, Action][]) {
      if (themed.has(name) && theme.more[name] === undefined) continue
      const drawn =
        group === 'coins' ? coinDice.pick([0.3, 1, 1, 3]) : group === 'usual' ? dice.pick(sharesOf(name)) : 1
      weights.set(name, offActions.includes(name) ? 0 : weight * (drawn ?? 1) * (theme.more[name] ?? 1))
    }
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
    coins: theme.coins ?? false,
    mistakenRefunds: theme.mistakenRefunds ?? false,
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
