import { type KeysReport, PaymentRejected, ProviderAway } from './payment-provider.ts'
import { askProvider, type ProviderAnswer, type ProviderRequest } from './provider-http.ts'
import { backOff, type CallKind, type Pace, unpaced } from './provider-pace.ts'

const TIMEOUT_MS = 10_000
const BYTES_MAX = 1_000_000

export interface CallOptions {
  readonly now: () => number
  readonly pace?: Pace
  readonly timeoutMs?: number
}

export type ProviderCall = (
  kind: CallKind,
  request: Omit<ProviderRequest, 'timeoutMs' | 'bytesMax'>,
) => Promise<ProviderAnswer>

/** Calls to one provider: paced by kind, bounded, and with a pause while it is overloaded or away. Throws `ProviderAway`. */
export function providerCalls({ now, pace = unpaced, timeoutMs = TIMEOUT_MS }: CallOptions): ProviderCall {
  const pause = backOff(now)
  return async (kind, request) => {
    // A buyer's payment is tried all the same: nobody repeats it unasked.
    if (kind !== 'payments') pause.assertOver()
    await pace(kind)
    try {
      const answer = await askProvider({ ...request, timeoutMs, bytesMax: BYTES_MAX })
      assertServed(answer)
      pause.answered()
      return answer
    } catch (error) {
      pause.failed(1000 * Number(error instanceof Overloaded ? error.retryAfter : 0) || 0)
      throw error
    }
  }
}

/** The provider is there but serves nobody now. */
class Overloaded extends ProviderAway {
  readonly retryAfter: string | null

  constructor({ status, retryAfter }: ProviderAnswer) {
    super(`the provider answered ${status}`)
    this.retryAfter = retryAfter
  }
}

function assertServed(answer: ProviderAnswer): void {
  if (answer.status === 429 || answer.status >= 500) throw new Overloaded(answer)
}

/** The provider does not accept the shop's keys. */
export class KeyRefused extends ProviderAway {
  /** In the provider's own words. */
  readonly reason: string

  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/** What a call says of the keys that it was made with. */
export async function keysReport(call: Promise<unknown>): Promise<KeysReport> {
  try {
    await call
    return { areAccepted: true, reason: null }
  } catch (error) {
    if (error instanceof KeyRefused) return { areAccepted: false, reason: error.reason.slice(0, 200) }
    if (error instanceof PaymentRejected) return { areAccepted: false, reason: error.message.slice(0, 200) }
    throw error
  }
}
