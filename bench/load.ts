import autocannon from 'autocannon'

/** Connections of every load. */
const CONNECTIONS = 64
/** A server that has just started, on a busy machine, is late rather than away. */
const ANSWER_SECONDS = 60
/** How often autocannon checks whether a load is over. */
const SAMPLE_MS = 50

/** Requests by autocannon: `amount` of them, each waited for. */
export interface Load {
  readonly url: string
  readonly amount: number
  /** Sent one after another on each connection, again and again; by default a GET of `url`. */
  readonly requests?: autocannon.Request[]
}

export interface LoadResult {
  readonly perSecond: number
  readonly answered: number
}

/** An answer other than 2xx, or none. */
export class LoadFailed extends Error {
  override readonly name = 'LoadFailed'
}

/** Loads a server; Throws `LoadFailed` when a request was refused or not answered. */
export async function drive({ url, amount, requests }: Load): Promise<LoadResult> {
  let answered = 0
  const failures = new Map<string, number>()
  const fail = (why: string): void => void failures.set(why, (failures.get(why) ?? 0) + 1)
  const beganAt = performance.now()
  let lastAt = beganAt
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections: Math.min(CONNECTIONS, amount),
        amount,
        ...(requests && { requests }),
        timeout: ANSWER_SECONDS,
        sampleInt: SAMPLE_MS,
      },
      (error: unknown) => (error ? reject(error) : resolve()),
    )
    instance.on('response', (_client, status) => {
      lastAt = performance.now()
      if (status >= 200 && status < 300) answered += 1
      else fail(`status ${status}`)
    })
    instance.on('reqError', (error: unknown) => fail(error instanceof Error ? error.message : String(error)))
  })
  if (failures.size > 0 || answered === 0) {
    const reasons = [...failures].map(([why, count]) => `${count} times ${why}`)
    throw new LoadFailed(`${url}: ${[...reasons, `${answered} answered`].join(', ')}`)
  }
  return { perSecond: (1_000 * answered) / (lastAt - beganAt), answered }
}
