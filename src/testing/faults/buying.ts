import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, ask, placeOrder, startPayment } from '../buyers.ts'

const AGAIN_MS = 1_000
const LISTED_EVERY_MS = 1_000

/** What the answers to buyers and owner are held against. */
export interface Expected {
  /** The process that answers is down: connections are refused or cut. */
  mayRefuse(): boolean
  /** Something is down: 503 with Retry-After. */
  mayBeAway(): boolean
}

export interface Bought {
  readonly buyer: string
  /** When the order was first sent. */
  readonly sentAt: number
  /** Once it was acknowledged. */
  id: string | undefined
  isPaid: boolean
}

/** Buyers who place and pay orders at a steady rate, each repeating what failed under the same key, and an owner who looks at the list. */
export interface Buying {
  readonly orders: readonly Bought[]
  /** Answers that are not documented. */
  readonly unexpected: readonly string[]
  /** How often something was answered 503, and how often refused. */
  readonly counts: { away: number; refused: number }
  /** No new orders; resolves when each that was begun is paid. */
  end(): Promise<void>
  /** As `end`, but what was begun is given up. */
  giveUp(): Promise<void>
}

export function startBuying(
  url: string,
  { ordersPerSecond, owner, expected }: { ordersPerSecond: number; owner: Record<string, string>; expected: Expected },
): Buying {
  const orders: Bought[] = []
  const unexpected: string[] = []
  const counts = { away: 0, refused: 0 }
  const ended = new AbortController()
  const givenUp = new AbortController()
  const buyers = new Set<Promise<void>>()

  /** The body of the answer; undefined where it is to be asked again. */
  async function answerOf(what: string, asking: () => Promise<Answer>): Promise<Answer['body'] | undefined> {
    const mightRefuse = expected.mayRefuse()
    const mightBeAway = expected.mayBeAway()
    try {
      const { status, headers, body } = await asking()
      if (status === 200 || status === 201) return body
      const isDocumented = status === 503 && /^\d+$/.test(String(headers['retry-after']))
      if (isDocumented) counts.away += 1
      if (!isDocumented || !(mightBeAway || expected.mayBeAway()))
        unexpected.push(`${what}: ${status} ${String(body['code'])}`)
    } catch (error) {
      counts.refused += 1
      if (!mightRefuse && !expected.mayRefuse()) unexpected.push(`${what}: ${String(error)}`)
    }
    return undefined
  }

  async function untilAnswered(what: string, asking: () => Promise<Answer>): Promise<Answer['body'] | undefined> {
    while (!givenUp.signal.aborted) {
      const body = await answerOf(what, asking)
      if (body) return body
      await pause(AGAIN_MS)
    }
    return undefined
  }

  async function buy(order: Bought): Promise<void> {
    const placed = await untilAnswered(`placing ${order.buyer}`, async () => placeOrder(url, order.buyer))
    if (!placed) return
    const id = String(placed['id'])
    order.id = id
    order.isPaid = (await untilAnswered(`paying ${order.buyer}`, async () => startPayment(url, id))) !== undefined
  }

  async function sell(): Promise<void> {
    while (!ended.signal.aborted) {
      const order: Bought = { buyer: `buyer-${orders.length}`, sentAt: performance.now(), id: undefined, isPaid: false }
      orders.push(order)
      const buyer = buy(order).finally(() => buyers.delete(buyer))
      buyers.add(buyer)
      await pause(1_000 / ordersPerSecond)
    }
  }

  async function look(): Promise<void> {
    while (!ended.signal.aborted) {
      await answerOf('the list', async () => ask(url, 'GET', '/api/orders?limit=10', { headers: owner }))
      await pause(LISTED_EVERY_MS)
    }
  }

  const running = Promise.all([sell(), look()])
  const end = async (): Promise<void> => {
    ended.abort()
    await running
    await Promise.all(buyers)
  }
  return {
    orders,
    unexpected,
    counts,
    end,
    async giveUp() {
      givenUp.abort()
      await end()
    },
  }
}
