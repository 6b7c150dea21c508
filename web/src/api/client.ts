import type { Problem } from '#contract/problem.ts'

const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 30_000
const RETRIES_MAX = 2
const RETRY_WAIT_MAX_S = 2

const UNKNOWN = 'Something went wrong on our side. Please try again.'

/** A failure with a sentence for the user. */
export class Failure extends Error {
  readonly say: string

  constructor(say: string, message = say, options?: ErrorOptions) {
    super(message, options)
    this.say = say
  }
}

/** The shop refused the request. `message` is `{status}: {body text}`. */
export class ApiError extends Failure {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** The problem body, with members that only some codes have (`quote`, `current`). */
  readonly problem: Partial<Problem> & Record<string, unknown>

  constructor(status: number, body: string, statusText: string) {
    const problem: ApiError['problem'] = objectFrom(body)
    super(
      typeof problem.message === 'string' ? problem.message : UNKNOWN,
      `${status}: ${body === '' ? statusText : body}`,
    )
    this.status = status
    this.problem = problem
    this.code = typeof problem.code === 'string' ? problem.code : `http/${status}`
  }
}

/** No response came: the request may or may not have been executed. */
export class Unreachable extends Failure {
  override name = 'Unreachable'

  constructor(message: string, options?: ErrorOptions) {
    super('The shop cannot be reached. Check your connection; nothing you typed is lost.', message, options)
  }
}

export function sayError(error: unknown): string {
  return error instanceof Failure ? error.say : UNKNOWN
}

/** The reason of a permanent refusal, else `retry`, which asks to try again. */
export function sayRefusalOr(retry: string, error: unknown): string {
  return isRefused(error) ? sayError(error) : retry
}

/** The same request would be refused again. */
export function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 409)
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

interface RequestOptions {
  body?: unknown
  headers?: Record<string, string>
}

/** By path, the position that the next response must include. Push messages set it. */
const positions = new Map<string, string>()

/** The token of the staff session, in memory only. */
let staffToken: string | undefined

/** How far the server's clock is ahead of the browser's. */
let clockAheadMs = 0

export function expectPosition(path: string, position: string): void {
  positions.set(path, position)
}

export function setStaffToken(token: string | undefined): void {
  staffToken = token
}

/** Called with each refusal. */
let onRefused: (error: ApiError) => void = () => undefined

export function listenToRefusals(listener: typeof onRefused): void {
  onRefused = listener
}

/** Resolves to whether a code was given. */
let askForCode = async (): Promise<boolean> => false

export function listenToCodeNeeded(listener: typeof askForCode): void {
  askForCode = listener
}

export function shopNow(): number {
  return Date.now() + clockAheadMs
}

/** Retries a 503 with a short `Retry-After`. `query` reads the same by a POST `at` another path. */
export async function get<T>(path: string, query?: { at: string; body: unknown }): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    const response = await send(query === undefined ? 'GET' : 'POST', query?.at ?? path, {
      body: query?.body,
      reads: path,
      timeoutMs: READ_TIMEOUT_MS,
    })
    const waitS = response.status === 503 ? Number(response.headers.get('Retry-After') ?? Number.NaN) : Number.NaN
    if (retries === RETRIES_MAX || !(waitS <= RETRY_WAIT_MAX_S)) return bodyOf<T>(response)
    await new Promise((resolve) => setTimeout(resolve, waitS * 1000))
  }
}

export async function post<T>(path: string, body: unknown, options: RequestOptions = {}): Promise<T> {
  return bodyOf<T>(await send('POST', path, { ...options, body }))
}

export async function patch<T>(path: string, body: unknown, options: RequestOptions = {}): Promise<T> {
  return bodyOf<T>(await send('PATCH', path, { ...options, body }))
}

export async function remove<T>(path: string): Promise<T> {
  return bodyOf<T>(await send('DELETE', path, {}))
}

/** The file that a POST answers, with the name that the shop gave it. */
export async function postForFile(path: string, body: unknown): Promise<{ name: string; content: Blob }> {
  const response = await send('POST', path, { body })
  if (!response.ok) await bodyOf(response)
  const name = /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'orders.csv'
  return { name, content: await response.blob() }
}

/** Sends a call again once the owner has given the code that it needs. */
async function send(...call: Parameters<typeof sendOnce>): Promise<Response> {
  const response = await sendOnce(...call)
  if (response.status !== 403) return response
  const { code } = objectFrom(
    await response
      .clone()
      .text()
      .catch(() => ''),
  )
  return code === 'admin/second-factor-required' && (await askForCode()) ? sendOnce(...call) : response
}

async function sendOnce(
  method: string,
  path: string,
  { reads, timeoutMs = WRITE_TIMEOUT_MS, ...options }: RequestOptions & { reads?: string; timeoutMs?: number },
): Promise<Response> {
  const headers = new Headers(options.headers)
  if (options.body !== undefined) headers.set('Content-Type', 'application/json')
  if (staffToken !== undefined) headers.set('Authorization', `Bearer ${staffToken}`)
  const position = reads === undefined ? undefined : positions.get(reads)
  if (position !== undefined) headers.set('X-Position', position)
  try {
    const response = await fetch(path, {
      method,
      headers,
      credentials: 'include',
      // Prices and orders must not come from an HTTP cache.
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    // Also after a failure: a restored log may never reach the position.
    if (reads !== undefined && positions.get(reads) === position) positions.delete(reads)
    const date = Date.parse(response.headers.get('Date') ?? '')
    if (Number.isFinite(date)) clockAheadMs = date - Date.now()
    return response
  } catch (error) {
    throw new Unreachable('The shop cannot be reached.', { cause: error })
  }
}

async function bodyOf<T>(response: Response): Promise<T> {
  const body = await response.text().catch(() => '')
  if (!response.ok) {
    const error = new ApiError(response.status, body, response.statusText)
    onRefused(error)
    throw error
  }
  if (body === '') return undefined as T
  try {
    return JSON.parse(body) as T
  } catch (error) {
    throw new Unreachable('The answer was cut short.', { cause: error })
  }
}

function objectFrom(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
