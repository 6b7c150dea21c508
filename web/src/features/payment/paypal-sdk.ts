const address = 'https://www.paypal.com/web-sdk/v6/core'
const LOAD_TIMEOUT_MS = 15_000

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
  const loaded = paypalGlobal() ?? (await load())
  return loaded.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' })
}

function paypalGlobal(): PaypalGlobal | undefined {
  return (window as { paypal?: PaypalGlobal }).paypal
}

async function load(): Promise<PaypalGlobal> {
  const script = document.createElement('script')
  script.src = address
  script.async = true
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('PayPal did not load in time.')), LOAD_TIMEOUT_MS)
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('PayPal could not be loaded.')))
    document.head.append(script)
  })
  const found = paypalGlobal()
  if (found === undefined) throw new Error('PayPal could not be loaded.')
  return found
}
