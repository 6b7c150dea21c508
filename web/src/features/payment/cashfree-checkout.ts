import { Failure } from '../../api/client.ts'
import { toast } from '../../components/ui/toast.ts'
import type { Checkout } from './checkout-in.ts'
import { providerScript } from './provider-script.ts'

/** As the script answers it: that it ended says nothing of money. */
interface Outcome {
  readonly error?: { readonly message?: string }
}

type Cashfree = (options: { mode: string }) => {
  checkout: (options: { paymentSessionId: string; redirectTarget: '_self' }) => Promise<Outcome | undefined>
}

/** Redirects to Cashfree's page. */
export async function openCheckout({ session, script, mode }: Checkout): Promise<void> {
  const cashfree = await providerScript<Cashfree>(script, 'Cashfree', 'The checkout')
  toast('Redirecting to UPI checkout')
  const outcome = await cashfree({ mode }).checkout({ paymentSessionId: session, redirectTarget: '_self' })
  if (outcome?.error !== undefined) throw new Failure('The checkout could not be opened. No money was taken.')
}
