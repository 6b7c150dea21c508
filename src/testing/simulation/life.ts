import type { DeliveryMode } from '../../domain/words.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { Policy } from '../../shop/shop.ts'
import type { FaultName } from './faults.ts'

/** What a seed decides before its life begins. */
export interface Life {
  readonly processes: number
  readonly orders: number
  readonly actions: number
  readonly stockM: number
  readonly preOrders: boolean
  readonly policy: Omit<Policy, 'deliveryMode'>
  readonly deliveryMode: DeliveryMode
  /** How often a process that starts hands over in another way than most of this shop. */
  readonly modeChangeShare: number
  readonly weights: ReadonlyMap<string, number>
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
  /** Coins arrive in every way, and a repeated create opens another address. */
  readonly coins: boolean
  /** Staff who refund say that coins were not given, though they were. */
  readonly mistakenRefunds: boolean
}
