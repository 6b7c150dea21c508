import type { OpenPayment } from '#contract/order.ts'

export interface Checkout {
  readonly session: string
  readonly script: string
  readonly mode: string
}

/** Of a payment that is made on Cashfree's own page; undefined for any other. */
export function checkoutIn(intents: OpenPayment['intents']): Checkout | undefined {
  const { payment_session_id: session, checkout_script: script, checkout_mode: mode } = intents ?? {}
  return session && script && mode ? { session, script, mode } : undefined
}

/** Redirects to Cashfree. Loaded lazily: few buyers need it. */
export const openCheckout = async (checkout: Checkout) =>
  (await import('./cashfree-checkout.ts')).openCheckout(checkout)
