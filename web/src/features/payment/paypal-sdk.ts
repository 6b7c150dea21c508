import { providerScript } from './provider-script.ts'

const address = 'https://www.paypal.com/web-sdk/v6/core'

interface Session {
  start: (options: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<unknown>
}

interface Callbacks {
  onApprove: (data: { orderId: string }) => void
  onCancel: () => void
  onError: (error: unknown) => void
}

interface Sdk {
  createPayPalOneTimePaymentSession: (callbacks: Callbacks) => Session
}

interface PaypalGlobal {
  createInstance: (options: { clientToken: string; components: string[]; pageType: string }) => Promise<Sdk>
}

/** Loads PayPal's script, only for real payments. */
export async function paypalSdk(clientToken: string): Promise<Sdk> {
  const loaded = await providerScript<PaypalGlobal>(address, 'paypal', 'PayPal')
  return loaded.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' })
}
