import { Failure } from '../../api/client.ts'
import { providerScript } from './provider-script.ts'

const ELIGIBILITY_TIMEOUT_MS = 5_000
const NOT_ELIGIBLE = 'PayPal takes no payments from here. Please choose another way to pay.'

interface Session {
  start: (options: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<unknown>
}

interface Callbacks {
  onApprove: (data: { orderId: string }) => void
  onCancel: () => void
  onError: (error: unknown) => void
}

interface Sdk {
  findEligibleMethods: (options: { currencyCode: string }) => Promise<{ isEligible: (method: string) => boolean }>
  createPayPalOneTimePaymentSession: (callbacks: Callbacks) => Session
}

interface PaypalGlobal {
  createInstance: (options: { clientToken: string; components: string[]; pageType: string }) => Promise<Sdk>
}

/** Loads PayPal's script, only for real payments. It also defines the button. */
export async function paypalSdk(scriptUrl: string, clientToken: string): Promise<Sdk> {
  const loaded = await providerScript<PaypalGlobal>(scriptUrl, 'paypal', 'PayPal')
  const sdk = await loaded.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' })
  // A failure is not a refusal: this call has failed while payments worked.
  const answered = sdk.findEligibleMethods({ currencyCode: 'USD' }).catch(() => undefined)
  const methods = await Promise.race([answered, noAnswer()])
  if (methods?.isEligible('paypal') === false) throw new Failure(NOT_ELIGIBLE)
  return sdk
}

async function noAnswer(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ELIGIBILITY_TIMEOUT_MS))
}
