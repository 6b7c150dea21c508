import { STATUS_CODES } from 'node:http'
import type * as z from 'zod/mini'
import { Refusal, type RefusalCode, type RefusalKind, refusals } from '../../domain/refusal.ts'
import { PaymentRejected } from '../../payments/payment-provider.ts'
import { TryAgain, type TryAgainCode } from '../../ports/try-again.ts'
import { SearchTooWide } from '../../projections/order-list.ts'
import { CursorInvalid } from '../../projections/page-cursor.ts'
import { OutOfMemory } from '../../projections/past-views.ts'
import type { Problem } from '../contract/problem.ts'

const statusOfKind: Record<RefusalKind, number> = {
  wrong: 400,
  'signed-out': 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  stale: 412,
  'too-many': 429,
  later: 503,
}

/** Requests that are refused before any command runs. */
const statusOfRequest = {
  'request/invalid': 400,
  'request/not-json': 400,
  'request/cut-short': 400,
  'request/cross-origin': 403,
  'request/not-found': 404,
  'request/wrong-method': 405,
  'request/too-large': 413,
  'request/wrong-type': 415,
  'request/too-many': 429,
  'request/too-many-connections': 503,
  'as-of/folding': 503,
  'as-of/just-over': 503,
  'as-of/too-many-days': 503,
  'as-of/failed': 503,
  'as-of/ended': 503,
} as const
type RequestCode = keyof typeof statusOfRequest

export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestCode
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterS: number | undefined
  constructor(
    code: RequestCode,
    message: string,
    { details = {}, retryAfterS }: { details?: Readonly<Record<string, unknown>>; retryAfterS?: number } = {},
  ) {
    super(message)
    this.code = code
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

const RETRY_SOON_S = 1
const RETRY_LATER_S = 5
const ISSUES_MAX = 20

const OUT_OF_MEMORY =
  'This needs more memory than the shop may take for it. `npm run shop -- history` answers it on the command line.'
const CANNOT_BE_REACHED = 'The shop cannot be reached.'

const answerOfTryAgain: Record<TryAgainCode, readonly [code: string, message: string, retryAfterS: number]> = {
  'view-behind': ['view/behind', 'This is not up to date yet.', RETRY_SOON_S],
  'shop-busy': ['shop/busy', 'Many are buying right now.', RETRY_SOON_S],
  'passwords-busy': ['shop/busy', 'Many are logging in right now.', RETRY_SOON_S],
  'append-conflict': ['shop/busy', 'Somebody else was faster.', RETRY_SOON_S],
  'append-ambiguous': ['event-store/away', 'It is not known whether this was done.', RETRY_SOON_S],
  'event-store-away': ['event-store/away', CANNOT_BE_REACHED, RETRY_LATER_S],
  'job-queue-away': ['job-queue/away', CANNOT_BE_REACHED, RETRY_LATER_S],
  'vault-away': ['vault/away', CANNOT_BE_REACHED, RETRY_LATER_S],
  'view-store-away': ['view/away', 'This list cannot be reached.', RETRY_LATER_S],
  'provider-away': ['provider/away', 'The payment provider cannot be reached.', RETRY_LATER_S],
}

interface ProblemAnswer {
  readonly status: number
  readonly code: string
  readonly retryAfterS: number | undefined
  readonly body: Problem & Record<string, unknown>
}

/** The response to any error, without internal texts. Any error not known here is a 500. */
export function problemOf(error: unknown, correlationId: string): ProblemAnswer {
  const { status, code, message, details = {}, retryAfterS } = partsOf(error)
  const title = STATUS_CODES[status] ?? 'Error'
  const own = { type: `urn:coinshop:${code}`, title, status, code, message, correlationId }
  return { status, code, retryAfterS, body: { ...details, ...own } }
}

interface ProblemParts extends Pick<ProblemAnswer, 'status' | 'code'> {
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterS?: number | undefined
}

function partsOf(error: unknown): ProblemParts {
  if (error instanceof Refusal) return refusalOf(error)
  if (error instanceof RequestError) return requestProblemOf(error)
  if (error instanceof CursorInvalid) {
    const details = { errors: [{ path: 'cursor', message: 'This page does not exist.' }] }
    return { status: 400, code: 'request/invalid', message: error.message, details }
  }
  if (error instanceof SearchTooWide) return { status: 400, code: 'request/invalid', message: error.message }
  if (error instanceof TryAgain) {
    const [code, message, retryAfterS] = answerOfTryAgain[error.code]
    return { status: 503, code, message: `${message} Please try again in a moment.`, retryAfterS }
  }
  if (error instanceof OutOfMemory) return { status: 503, code: 'history/out-of-memory', message: OUT_OF_MEMORY }
  if (error instanceof PaymentRejected) {
    const message = 'The payment provider refuses this payment. Please choose another method.'
    return { status: 409, code: 'payment/rejected', message }
  }
  const ofBody = bodyProblem(error)
  if (ofBody) return requestProblemOf(new RequestError(...ofBody))
  return { status: 500, code: 'shop/error', message: 'Something went wrong on our side. Please try again.' }
}

function refusalOf({ code, message, details }: Refusal): ProblemParts {
  const status = statusOfRefusal(code)
  const { retryAfterS } = details
  const mayRetry = status === 503 || status === 429
  return {
    status,
    code,
    message,
    details,
    ...(mayRetry && { retryAfterS: typeof retryAfterS === 'number' ? retryAfterS : RETRY_LATER_S }),
  }
}

function requestProblemOf(error: RequestError): ProblemParts {
  const { code, message, details, retryAfterS } = error
  return { status: statusOfRequest[code], code, message, details, retryAfterS }
}

export function statusOfRefusal(code: RefusalCode): number {
  return statusOfKind[refusals[code]]
}

export function invalid(error: z.core.$ZodError): RequestError {
  const errors = error.issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({ path: path.join('.'), message }))
  return new RequestError('request/invalid', errors[0]?.message ?? 'This request is not valid.', {
    details: { errors },
  })
}

/** An error for a wrong field at `path`. */
export function wrongField(path: string, message: string): RequestError {
  return new RequestError('request/invalid', `${path}: ${message}`, { details: { errors: [{ path, message }] } })
}

const bodyProblems: Readonly<Record<string, readonly [RequestCode, message: string]>> = {
  'entity.parse.failed': ['request/not-json', 'The body of this request is not JSON.'],
  'entity.too.large': ['request/too-large', 'The body of this request is too large.'],
  'encoding.unsupported': ['request/wrong-type', 'Bodies are taken as plain UTF-8 JSON only.'],
  'charset.unsupported': ['request/wrong-type', 'Bodies are taken as plain UTF-8 JSON only.'],
  'request.aborted': ['request/cut-short', 'The body of this request was cut short.'],
  'request.size.invalid': ['request/cut-short', 'The body of this request was cut short.'],
}

/** Errors of the body parser, and of Express if it cannot decode an address. */
function bodyProblem(error: unknown): readonly [RequestCode, message: string] | undefined {
  if (error instanceof URIError) return ['request/invalid', 'This address cannot be read.']
  return error instanceof Error && 'type' in error ? bodyProblems[String(error.type)] : undefined
}
