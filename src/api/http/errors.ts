import { STATUS_CODES } from 'node:http'
import type * as z from 'zod/mini'
import { Refusal, type RefusalCode, type RefusalKind, refusals } from '../../domain/refusal.ts'
import { PaymentRejected } from '../../payments/payment-provider.ts'
import { TryAgain, type TryAgainCode } from '../../ports/try-again.ts'
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

/** A request that is invalid before any command is called. */
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

interface TryAgainAnswer {
  readonly code: string
  readonly message: string
  readonly retryAfterS: number
}

const OUT_OF_MEMORY =
  'This needs more memory than the shop may take for it. `npm run shop -- history` answers it on the command line.'
const cannotBeReached = 'The shop cannot be reached.'

const answerOfTryAgain: Record<TryAgainCode, TryAgainAnswer> = {
  'view-behind': { code: 'view/behind', message: 'This is not up to date yet.', retryAfterS: RETRY_SOON_S },
  'shop-busy': { code: 'shop/busy', message: 'Many are buying right now.', retryAfterS: RETRY_SOON_S },
  'passwords-busy': { code: 'shop/busy', message: 'Many are logging in right now.', retryAfterS: RETRY_SOON_S },
  'append-conflict': { code: 'shop/busy', message: 'Somebody else was faster.', retryAfterS: RETRY_SOON_S },
  'append-ambiguous': {
    code: 'event-store/away',
    message: 'It is not known whether this was done.',
    retryAfterS: RETRY_SOON_S,
  },
  'event-store-away': { code: 'event-store/away', message: cannotBeReached, retryAfterS: RETRY_LATER_S },
  'job-queue-away': { code: 'job-queue/away', message: cannotBeReached, retryAfterS: RETRY_LATER_S },
  'vault-away': { code: 'vault/away', message: cannotBeReached, retryAfterS: RETRY_LATER_S },
  'view-store-away': { code: 'view/away', message: 'This list cannot be reached.', retryAfterS: RETRY_LATER_S },
  'provider-away': {
    code: 'provider/away',
    message: 'The payment provider cannot be reached.',
    retryAfterS: RETRY_LATER_S,
  },
}

interface ProblemAnswer {
  readonly status: number
  readonly code: string
  readonly retryAfterS: number | undefined
  readonly body: Problem & Record<string, unknown>
}

/** The answer to any error; never an internal text, and 500 for an error that is not a port's, command's or request's. */
export function problemOf(error: unknown, correlationId: string): ProblemAnswer {
  const answer = (
    status: number,
    code: string,
    message: string,
    {
      details = {},
      retryAfterS,
    }: { details?: Readonly<Record<string, unknown>>; retryAfterS?: number | undefined } = {},
  ): ProblemAnswer => {
    const own = {
      type: `urn:coinshop:${code}`,
      title: STATUS_CODES[status] ?? 'Error',
      status,
      code,
      message,
      correlationId,
    }
    return { status, code, retryAfterS, body: { ...details, ...own } }
  }
  if (error instanceof Refusal) {
    const status = statusOfRefusal(error.code)
    const { retryAfterS: own } = error.details
    const retryAfterS = typeof own === 'number' ? own : RETRY_LATER_S
    const isLater = status === 503 || status === 429
    return answer(status, error.code, error.message, { details: error.details, ...(isLater && { retryAfterS }) })
  }
  if (error instanceof OutOfMemory) return answer(503, 'history/out-of-memory', OUT_OF_MEMORY)
  if (error instanceof RequestError) return answer(statusOfRequest[error.code], error.code, error.message, error)
  if (error instanceof CursorInvalid) {
    const errors = [{ path: 'cursor', message: 'This page does not exist.' }]
    return answer(400, 'request/invalid', error.message, { details: { errors } })
  }
  if (error instanceof PaymentRejected)
    return answer(409, 'payment/rejected', 'The payment provider refuses this payment. Please choose another method.')
  if (error instanceof TryAgain) {
    const { code, message, retryAfterS } = answerOfTryAgain[error.code]
    return answer(503, code, `${message} Please try again in a moment.`, { retryAfterS })
  }
  const fromReader = bodyProblem(error)
  if (fromReader) return answer(statusOfRequest[fromReader.code], fromReader.code, fromReader.message)
  return answer(500, 'shop/error', 'Something went wrong on our side. Please try again.')
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

const ISSUES_MAX = 20

/** A request whose field at `path` is wrong, as `message` says. */
export function wrongField(path: string, message: string): RequestError {
  return new RequestError('request/invalid', `${path}: ${message}`, { details: { errors: [{ path, message }] } })
}

/** The errors of the library that reads bodies. */
function bodyProblem(error: unknown): { code: RequestCode; message: string } | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  switch (type) {
    case 'entity.parse.failed':
      return { code: 'request/not-json', message: 'The body of this request is not JSON.' }
    case 'entity.too.large':
      return { code: 'request/too-large', message: 'The body of this request is too large.' }
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return { code: 'request/wrong-type', message: 'Bodies are taken as plain UTF-8 JSON only.' }
    case 'request.aborted':
    case 'request.size.invalid':
      return { code: 'request/cut-short', message: 'The body of this request was cut short.' }
    default:
      // Express could not decode the address.
      return error instanceof URIError
        ? { code: 'request/invalid', message: 'This address cannot be read.' }
        : undefined
  }
}
