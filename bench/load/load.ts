import autocannon from 'autocannon'
import { type Percentiles, percentilesOf } from '../statistics.ts'

/** The generator looks this often whether a load is over. */
const LOOK_EVERY_MS = 50

/** Requests by autocannon: `amount` of them, each waited for, or as many as `seconds` allow. */
export interface Load {
  readonly url: string
  readonly connections: number
  readonly until: { readonly amount: number } | { readonly seconds: number }
  /** Sent one after another on each connection, again and again; a GET of the address by default. */
  readonly requests?: autocannon.Request[]
}

export interface LoadResult extends Percentiles {
  readonly perSecond: number
  readonly answered: number
  /** From the first request to the last answer. */
  readonly seconds: number
  /** When the first request was sent, by `performance.now`. */
  readonly beganAt: number
}

/** The amount of requests with which every connection ends at the end of its walk, for about `walks` of them. */
export function wholeWalks(
  walks: number,
  { connections, requestsEach }: { connections: number; requestsEach: number },
): number {
  return Math.ceil(walks / connections) * connections * requestsEach
}

/** An answer other than 2xx, or none: a load that is not served is not measured. */
export class LoadFailed extends Error {
  override readonly name = 'LoadFailed'
}

/** Drives a server and takes its figures from every single answer. Throws `LoadFailed` when one was refused or never came. */
export async function drive({ url, connections, until, requests }: Load): Promise<LoadResult> {
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
        connections: isCounted ? Math.min(connections, until.amount) : connections,
        ...(isCounted ? { amount: until.amount } : { duration: until.seconds }),
        ...(requests && { requests }),
        sampleInt: LOOK_EVERY_MS,
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
  const seconds = (lastAt - beganAt) / 1_000
  if (failures.size > 0 || latencies.length === 0)
    throw new LoadFailed(`${url}: ${reasons(failures, latencies.length)}`)
  const { length: answered } = latencies
  return { ...percentilesOf(latencies), answered, seconds, beganAt, perSecond: answered / seconds }
}

function reasons(failures: ReadonlyMap<string, number>, answered: number): string {
  const told = [...failures].map(([why, count]) => `${count} times ${why}`)
  return [...told, `${answered} answered`].join(', ')
}
