import { afterEach, beforeEach } from 'vitest'
import type { GatewayName } from '../../domain/payment-methods.ts'
import type { KnownPayment, PaymentProvider, PaymentRequest } from '../payment-provider.ts'
import type { CallOptions } from '../provider-calls.ts'
import { type Doubles, doubles } from './doubles.ts'
import { gatewayOf, known, paymentRequest, START } from './samples.ts'

/** A gateway with a new double in each test. `asked`: defaults of its payment requests. */
export function atDouble<Name extends GatewayName>(name: Name, asked: Partial<PaymentRequest> = {}) {
  const at = {
    double: undefined as unknown as Doubles[Name],
    nowMs: START,
    /** Unknown or unreadable words that it logged. */
    unknownWords: [] as string[],
    provider(env: Readonly<Record<string, string>> = {}, calls: Partial<CallOptions> = {}): PaymentProvider {
      const onUnknownStatus = (word: string): void => void at.unknownWords.push(word)
      return gatewayOf(name, { ...at.double.env, ...env }, { now: () => at.nowMs, onUnknownStatus, ...calls })
    },
    request: (changes: Partial<PaymentRequest> = {}): PaymentRequest =>
      paymentRequest({ ...asked, requestedAt: new Date(at.nowMs).toISOString(), ...changes }),
    /** Opens a payment. */
    async opened(changes: Partial<PaymentRequest> = {}): Promise<KnownPayment> {
      const request = at.request(changes)
      return known(request, await at.provider().create(request))
    },
  }
  beforeEach(async () => {
    at.nowMs = START
    at.unknownWords.length = 0
    at.double = new doubles[name]({ now: () => at.nowMs })
    await at.double.listen()
  })
  afterEach(async () => at.double.stop())
  return at
}
