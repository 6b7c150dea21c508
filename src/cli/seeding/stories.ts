import type { Actor, DeliveryMode } from '../../domain/words.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { Random } from '../../ports/clock-and-random.ts'
import {
  type Act,
  approve,
  cancel,
  check,
  choose,
  expire,
  handOver,
  pay,
  refund,
  reinstate,
  remove,
  reserve,
  settle,
  takeBack,
} from './acts.ts'

/** One act, some minutes after the previous one (people take up to twice as long), or at a time of the order or the stock. */
export interface Step {
  readonly by: Actor
  readonly after: number | 'deadline' | 'restock' | 'watch'
  readonly act: Act
}

/** `weight` is the relative frequency; `delivery` the only delivery mode in which the story can happen. */
type Story = readonly [
  name: string,
  weight: number,
  method: PaymentMethod,
  steps: readonly Step[],
  delivery?: DeliveryMode,
]

/** From the start of a payment until the sandbox reports the money. */
export const PAYMENT_MINUTES = 5
const ARRIVED = PAYMENT_MINUTES + 0.2

const HOUR = 60
const DAY = 24 * HOUR

const buyer = (after: number, act: Act): Step => ({ by: 'buyer', after, act })
const staff = (after: number, act: Act): Step => ({ by: 'staff', after, act })
const shop = (after: Step['after'], act: Act): Step => ({ by: 'system', after, act })

const byCrypto = [buyer(2, pay('crypto')), shop(ARRIVED, check)]
const byWallet = [buyer(1, pay('paypal')), shop(1, check)]
const byCryptoSeen = [buyer(2, pay('crypto')), shop(3, check), shop(3, check)]
const inTwoParts = [buyer(2, pay('crypto', 'short')), shop(ARRIVED, check), shop(1, check)]
const byBank = [buyer(1, pay('upi')), shop(ARRIVED, check)]
const bankFailed = [buyer(2, pay('upi', 'fail')), shop(ARRIVED, check)]
const paidShort = [buyer(2, pay('upi', 'short')), shop(ARRIVED, check)]
const paidOver = [buyer(2, pay('crypto', 'over')), shop(ARRIVED, check)]
const unwatched = shop('watch', check)
const expired = shop('deadline', expire)
const paidLate = [buyer(2, pay('crypto', 'late')), expired, shop(HOUR, check), shop(1, reinstate)]
const handedOver = [staff(25, handOver), unwatched]
const takenBack = [staff(25, handOver), shop(2 * DAY, takeBack)]
const whenRestocked = [shop('restock', reserve), ...handedOver]

const refundAll = refund('asked-for', 1, 'to the same wallet')
const refundHalf = refund('asked-for', 0.5, 'to the same bank account')
const refundLate = refund('paid-late', 1)
const refundExcess = refund('paid-too-much', 'excess')

/** Typical orders, with their frequencies. */
export const stories: readonly Story[] = [
  ['paid by crypto', 24, 'crypto', [...byCrypto, ...handedOver]],
  ['paid by crypto, seen before', 10, 'crypto', [...byCryptoSeen, ...handedOver]],
  ['paid by wallet', 18, 'paypal', [...byWallet, ...handedOver]],
  ['paid by bank', 16, 'upi', [...byBank, ...handedOver]],
  ['never begun to pay', 10, 'crypto', [expired]],
  ['given up while paying', 4, 'upi', [buyer(3, pay('upi', 'cancel')), shop(ARRIVED, check), expired, unwatched]],
  ['failed for good', 3, 'paypal', [buyer(2, pay('paypal', 'fail')), shop(1, check), expired, unwatched]],
  [
    'paid by another method when one failed',
    3,
    'upi',
    [...bankFailed, buyer(1, choose('crypto')), ...byCrypto, ...handedOver],
  ],
  ['cancelled', 4, 'paypal', [buyer(6, cancel)]],
  ['paid in two parts', 1.5, 'crypto', [...inTwoParts, ...handedOver]],
  ['paid in two payments', 1, 'upi', [...paidShort, ...byBank, ...handedOver]],
  ['paid too little', 0.3, 'upi', [...paidShort, expired, unwatched]],
  ['paid too little, and settled', 0.5, 'upi', [...paidShort, expired, staff(DAY, settle), unwatched]],
  ['paid too much', 0.5, 'crypto', [...paidOver, ...handedOver]],
  ['paid too much, and settled', 1, 'crypto', [...paidOver, staff(25, handOver), staff(DAY, settle), unwatched]],
  ['paid when it had expired', 1, 'crypto', [...paidLate, ...handedOver]],
  ['approved by staff without money', 2, 'upi', [staff(20, approve)]],
  ['taken back after it was handed over', 0.7, 'paypal', [...byWallet, ...takenBack, staff(DAY, settle), unwatched]],
  [
    'taken back before it was handed over',
    0.5,
    'paypal',
    [...byWallet, shop(15, takeBack), staff(2 * HOUR, remove), staff(30, settle), unwatched],
    'staff',
  ],
  [
    'paid too much, and refunded',
    0.5,
    'crypto',
    [...paidOver, staff(25, handOver), staff(DAY, refundExcess), unwatched],
  ],
  ['refunded before it was handed over', 0.7, 'paypal', [...byWallet, staff(20, refundAll), unwatched], 'staff'],
  ['refunded in part', 0.7, 'upi', [...byBank, staff(25, handOver), staff(3 * DAY, refundHalf), unwatched]],
  ['handed over and deleted', 1, 'paypal', [...byWallet, ...handedOver, staff(2 * DAY, remove)]],
  ['deleted before it was paid', 1, 'crypto', [staff(15, remove)]],
]

/** While nothing is in stock. */
export const preOrderStories: readonly Story[] = [
  ['paid when it had expired, without stock', 1, 'crypto', [...paidLate, staff(DAY, settle), unwatched]],
  ['paid when it had expired, and refunded', 1, 'crypto', [...paidLate, staff(DAY, refundLate), unwatched]],
  ['pre-ordered, paid by crypto', 6, 'crypto', [...byCrypto, ...whenRestocked]],
  ['pre-ordered, paid by wallet', 4, 'paypal', [...byWallet, ...whenRestocked]],
  ['pre-ordered, never begun to pay', 2, 'upi', [expired]],
]

/** Orders of the last minutes, still open. */
export const openStories: readonly Story[] = [
  ['placed just now', 2, 'crypto', []],
  ['waits for its coins', 1, 'crypto', [buyer(1, pay('crypto'))]],
  ['waits to be handed over', 2, 'paypal', byWallet],
  ['half of it is paid', 1, 'upi', paidShort],
]

/** Tells every story once, so that the smallest shop has them all, then by weight; only those that can happen now. */
export function storyTeller(
  stories: readonly Story[],
): (random: Pick<Random, 'fraction'>, mayHappen: (story: Story) => boolean) => Story {
  const unused = new Set(stories)
  return (random, mayHappen) => {
    const possible = stories.filter(mayHappen)
    const story = possible.find((one) => unused.has(one)) ?? draw(possible, random.fraction())
    unused.delete(story)
    return story
  }
}

function draw(possible: readonly Story[], fraction: number): Story {
  let left = fraction * possible.reduce((total, [, weight]) => total + weight, 0)
  const story = possible.find(([, weight]) => (left -= weight) < 0) ?? possible.at(-1)
  if (!story) throw new Error('no story can happen')
  return story
}
