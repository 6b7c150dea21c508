import type { OpenPayment } from '#contract/order.ts'
import { Failure } from '../../api/client.ts'
import { toast } from '../../components/ui/use-action.ts'
import { providerScript } from './provider-script.ts'

interface CashfreeCheckout {
  readonly session: string
  readonly script: string
  readonly mode: string
}

/** The checkout of a payment on Cashfree's page. Undefined for any other payment. */
export function cashfreeCheckoutIn(intents: OpenPayment['intents']): CashfreeCheckout | undefined {
  const { payment_session_id: session, checkout_script: script, checkout_mode: mode } = intents ?? {}
  return session && script && mode ? { session, script, mode } : undefined
}

/** What Cashfree's script returns. Its end does not mean that money was paid. */
interface Outcome {
  readonly error?: { readonly message?: string }
}

type Cashfree = (options: { mode: string }) => {
  checkout: (options: { paymentSessionId: string; redirectTarget: '_self' }) => Promise<Outcome | undefined>
}

/** Redirects to Cashfree's page. */
export async function redirectToCheckout({ session, script, mode }: CashfreeCheckout): Promise<void> {
  const cashfree = await providerScript<Cashfree>(script, 'Cashfree', 'The checkout')
  toast('Redirecting to UPI checkout')
  const outcome = await cashfree({ mode }).checkout({ paymentSessionId: session, redirectTarget: '_self' })
  if (outcome?.error !== undefined) throw new Failure('The checkout could not be opened. No money was taken.')
}
