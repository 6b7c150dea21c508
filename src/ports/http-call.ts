export interface HttpRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly bytesMax: number
}

export interface HttpAnswer {
  readonly status: number
  /** The status is 200 to 299. */
  readonly isSuccess: boolean
  readonly text: string
  readonly retryAfter: string | null
}

/** No whole answer came. Its text names the host, never the rest of the address. */
export class NoHttpAnswer extends Error {
  override readonly name = 'NoHttpAnswer'
}

/** Makes one HTTP call with a timeout and a size limit. Refuses redirects, which would send the key elsewhere. Throws `NoHttpAnswer`. */
export async function callByHttp({ url, timeoutMs, bytesMax, ...request }: HttpRequest): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const text = await textOf(response, bytesMax)
    const { status, ok: isSuccess, headers } = response
    // Cashfree uses another header name.
    return { status, isSuccess, text, retryAfter: headers.get('retry-after') ?? headers.get('x-ratelimit-retry') }
  } catch (error) {
    if (error instanceof TooLong) throw new NoHttpAnswer(`${url.host} answered more than ${bytesMax} bytes`)
    throw new NoHttpAnswer(`${url.host} cannot be reached: ${reasonOf(error)}`)
  }
}

class TooLong extends Error {}

/** Reads in chunks, so that an endless reply is cut off at the limit. */
async function textOf(response: Response, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > bytesMax) throw new TooLong()
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given'
  const { cause, message } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** The wait that a `Retry-After` header asks for, in seconds or as a date; 0 for any other text. */
export function msUntil(retryAfter: string | null, nowMs: number): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - nowMs
  return Math.max(0, ms || 0)
}
