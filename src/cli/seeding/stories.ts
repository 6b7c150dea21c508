import type { Random } from '../../shop/clock-and-random.ts'
import type { Play } from '../../payments/sandbox-payment.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'

/** The actions on a placed order. `check` checks every payment, which captures an approved wallet payment and ends an old watch. */
export type Act =
  | { readonly type: 'pay'; readonly method: PaymentMethod; readonly play: Play }
  | { readonly type: 'choose'; readonly method: PaymentMethod }
  | { readonly type: 'check' | 'expire' | 'reinstate' | 'cancel' | 'approve' | 'settle' | 'delete' }

interface Story {
  readonly name: string
  /** How frequent it is, relative to the others. */
  readonly weight: number
  readonly method: PaymentMethod
  /** Minutes after the order was placed. */
  readonly acts: readonly (readonly [minutes: number, act: Act])[]
}

/** From the start of a payment until the sandbox reports the money. */
export const PAYMENT_MINUTES = 5

const HOUR = 60
const DAY = 24 * HOUR
/** Later than the seven days for which the payments of an ended order are watched. */
const endWatches = [12 * DAY, { type: 'check' }] as const
const afterDeadlines = [2.5 * HOUR, { type: 'expire' }] as const

const pay = (minutes: number, method: PaymentMethod, play: Play = 'pay') =>
  [minutes, { type: 'pay', method, play }] as const
const check = (minutes: number) => [minutes, { type: 'check' }] as const
const plain = (minutes: number, type: 'reinstate' | 'cancel' | 'approve' | 'settle' | 'delete') =>
  [minutes, { type }] as const

/** Typical orders, with their frequencies. */
export const stories: readonly Story[] = [
  { name: 'paid by crypto', weight: 24, method: 'crypto', acts: [pay(2, 'crypto'), check(8), endWatches] },
  {
    name: 'paid by crypto, seen before it was confirmed',
    weight: 10,
    method: 'crypto',
    acts: [pay(2, 'crypto'), check(5), check(9), endWatches],
  },
  { name: 'paid by wallet', weight: 18, method: 'paypal', acts: [pay(1, 'paypal'), check(3), endWatches] },
  { name: 'paid by bank', weight: 16, method: 'upi', acts: [pay(1, 'upi'), check(7), endWatches] },
  { name: 'never paid', weight: 10, method: 'crypto', acts: [afterDeadlines] },
  {
    name: 'given up while paying',
    weight: 6,
    method: 'upi',
    acts: [pay(3, 'upi', 'cancel'), check(9), afterDeadlines, endWatches],
  },
  { name: 'cancelled', weight: 4, method: 'paypal', acts: [plain(6, 'cancel')] },
  {
    name: 'paid by another method when one had failed',
    weight: 3,
    method: 'upi',
    acts: [
      pay(2, 'upi', 'fail'),
      check(8),
      [10, { type: 'choose', method: 'crypto' }],
      pay(12, 'crypto'),
      check(18),
      endWatches,
    ],
  },
  {
    name: 'paid in two parts',
    weight: 2,
    method: 'crypto',
    acts: [pay(2, 'crypto', 'short'), check(7.5), check(12), endWatches],
  },
  {
    name: 'paid too little, and settled',
    weight: 0.5,
    method: 'upi',
    acts: [pay(2, 'upi', 'short'), check(8), [30 * HOUR, { type: 'expire' }], plain(3 * DAY, 'settle'), endWatches],
  },
  {
    name: 'paid too little',
    weight: 0.3,
    method: 'upi',
    acts: [pay(2, 'upi', 'short'), check(8), [30 * HOUR, { type: 'expire' }], endWatches],
  },
  {
    name: 'paid too much',
    weight: 0.5,
    method: 'crypto',
    acts: [pay(2, 'crypto', 'over'), check(8), endWatches],
  },
  {
    name: 'paid too much, and settled',
    weight: 1,
    method: 'crypto',
    acts: [pay(2, 'crypto', 'over'), check(8), plain(2 * DAY, 'settle'), endWatches],
  },
  {
    name: 'paid when it had expired',
    weight: 1,
    method: 'crypto',
    acts: [pay(2, 'crypto', 'late'), afterDeadlines, check(3 * HOUR), plain(3.1 * HOUR, 'reinstate'), endWatches],
  },
  { name: 'approved by staff', weight: 2, method: 'upi', acts: [plain(20, 'approve')] },
  {
    name: 'delivered and deleted',
    weight: 1,
    method: 'paypal',
    acts: [pay(1, 'paypal'), check(3), plain(10 * DAY, 'delete'), check(18 * DAY)],
  },
  { name: 'deleted before it was paid', weight: 1, method: 'crypto', acts: [plain(15, 'delete')] },
]

/** For the orders of the last minutes. */
export const openStory: Story = { name: 'placed just now', weight: 0, method: 'crypto', acts: [] }

/** Every story once, so that the smallest shop has them all, then by their weights. */
export function storyTeller(random: Random): () => Story {
  const sum = stories.reduce((total, { weight }) => total + weight, 0)
  let told = 0
  return () => {
    const first = stories[told]
    told += 1
    return first ?? drawn(random.fraction() * sum)
  }
}

function drawn(mark: number): Story {
  let left = mark
  for (const story of stories) {
    left -= story.weight
    if (left < 0) return story
  }
  return openStory
}
