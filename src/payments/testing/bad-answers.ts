import { describe, expect, it } from 'vitest'
import { type KnownPayment, type PaymentProvider, ProviderAway } from '../payment-provider.ts'
import type { BadAnswer } from './double-server.ts'

export const badAnswers: readonly BadAnswer[] = [
  '500',
  '429',
  'html',
  'lost',
  'huge',
  'nonsense',
  'redirect',
  'forbidden',
  'slow',
]

/** The time-out of a provider that is answered so; a good answer takes less on a busy machine, too. */
export function timeoutFor(answer: BadAnswer): number {
  return answer === 'slow' ? 1_000 : 10_000
}

interface Gateway {
  /** Opens a payment at the double. */
  readonly opened: () => Promise<KnownPayment>
  readonly provider: (options: { timeoutMs: number }) => PaymentProvider
  /** Lets the double answer its next check so. */
  readonly fail: (answer: BadAnswer) => void
  /** Lets the pause after a failure pass. */
  readonly pass: () => void
}

export function testBadAnswers({ opened, provider, fail, pass }: Gateway): void {
  describe.for(badAnswers)('an answer that is bad: %s', (answer) => {
    it('is no answer, and the next one is taken again', async () => {
      const payment = await opened()
      fail(answer)
      const asked = provider({ timeoutMs: timeoutFor(answer) })
      await expect(asked.check(payment)).rejects.toThrow(ProviderAway)
      pass()
      expect((await asked.check(payment)).status).toBe('waiting')
    })
  })
}
