import autocannon from 'autocannon'
import { percentile } from './statistics.ts'

/** Connections of every load. */
export const CONNECTIONS = 64
/** A server that has just started, on a busy machine, is late rather than away. */
const ANSWER_SECONDS = 60
/** How often autocannon checks whether a load is over. */
const SAMPLE_MS = 50

/** Requests by autocannon: `amount` of them, each waited for, or as many as `seconds` allow. */
export interface Load {
  readonly url: string
  readonly until: { readonly amount: number } | { readonly seconds: number }
  /** Sent one after another on each connection, again and again; by default a GET of `url`. */
  readonly requests?: autocannon.Request[]
}

export interface LoadResult {
  readonly perSecond: number
  readonly answered: number
  /** Milliseconds. */
  readonly p99: number
  /** When the first request was sent, by `performance.now`. */
  readonly beganAt: number
}

/** An answer other than 2xx, or none. */
export class LoadFailed extends Error {
  override readonly name = 'LoadFailed'
}

/** Loads a server; the figures come from every single answer. Throws `LoadFailed` when a request was refused or not answered. */
export async function drive({ url, until, requests }: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const failures = new Map<string, number>()
  const fail = (why: string): void => void failures.set(why, (failures.get(why) ?? 0) + 1)
  const isCounted = 'amount' in until
  const beganAt = performance.now()
  let lastAt = beganAt
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections: isCounted ? Math.min(CONNECTIONS, until.amount) : CONNECTIONS,
        ...(isCounted ? { amount: until.amount } : { duration: until.seconds }),
        ...(requests && { requests }),
        timeout: ANSWER_SECONDS,
        sampleInt: SAMPLE_MS,
      },
      (error: unknown) => (error ? reject(error) : resolve()),
    )
    instance.on('response', (_client, status, _bytes, ms) => {
      lastAt = performance.now()
      if (status >= 200 && status < 300) latencies.push(ms)
      else fail(`status ${status}`)
    })
    instance.on('reqError', (error: unknown) => fail(error instanceof Error ? error.message : String(error)))
  })
  const { length: answered } = latencies
  if (failures.size > 0 || answered === 0) {
    const reasons = [...failures].map(([why, count]) => `${count} times ${why}`)
    throw new LoadFailed(`${url}: ${[...reasons, `${answered} answered`].join(', ')}`)
  }
  const perSecond = (1_000 * answered) / (lastAt - beganAt)
  return { perSecond, answered, p99: percentile(latencies, 0.99), beganAt }
}
