import type { Dice } from './dice.ts'

/** The actions that may begin at any moment, with their weights. */
export const actionNames = [
  ['place', 20],
  ['place-again', 3],
  ['choose-method', 1.5],
  ['start-payment', 10],
  ['cancel', 1.5],
  ['capture', 6],
  ['pay', 14],
  ['approve-at-provider', 8],
  ['fail-at-provider', 2],
  ['reverse', 3],
  ['share-receipt', 4],
  ['send-news', 3],
  ['webhook', 5],
  ['sweep', 12],
  ['project', 10],
  ['follow', 2],
  ['staff-approve', 2.5],
  ['staff-delete', 1],
  ['staff-settle', 4],
  ['staff-process', 2],
  ['staff-hand-over', 30],
  ['staff-stock', 2],
  ['staff-pre-orders', 0.7],
  ['staff-price', 0.5],
  ['erase', 3],
  ['seconds-pass', 5],
  ['minutes-pass', 1.5],
  ['a-deadline-comes', 3],
  ['hours-pass', 1],
  ['days-pass', 0.7],
  ['crash', 1],
  ['change-delivery', 1.5],
  ['stop-thread', 1.5],
  ['staff-refund', 4],
] as const

/** The other ways in which coins arrive, in worlds that have them: elsewhere they would change what each seed draws. */
export const coinActionNames = [
  ['coin-transfer', 12],
  ['coin-at-lost-address', 6],
  ['coin-without-order', 2],
  ['coin-changes', 4],
  ['coin-settled', 2],
  ['coin-webhook', 14],
] as const

/** Payers who dispute what they paid, in worlds that have them. */
export const disputeActionNames = [
  ['dispute-opens', 8],
  ['dispute-ends', 5],
  ['dispute-webhook', 14],
] as const

/** Money that is only seen, and reversals that are undone, in worlds that have them. */
export const seenActionNames = [
  ['seen-arrives', 12],
  ['seen-ends', 5],
  ['seen-webhook', 14],
  ['reversal-undone', 4],
] as const

export type SeenActionName = (typeof seenActionNames)[number][0]
export type DisputeActionName = (typeof disputeActionNames)[number][0]
export type CoinActionName = (typeof coinActionNames)[number][0]
export type ActionName = (typeof actionNames)[number][0] | CoinActionName | DisputeActionName | SeenActionName

export function actionFor(weights: ReadonlyMap<ActionName, number>, dice: Dice): ActionName {
  let sum = 0
  for (const weight of weights.values()) sum += weight
  let left = dice.fraction() * sum
  for (const [name, weight] of weights) {
    left -= weight
    if (left < 0) return name
  }
  return 'sweep'
}
