import type { OpenPayment } from '#contract/order.ts'
import { Button, buttonStyle } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { toast, useAction } from '../../components/ui/use-action.ts'
import { centsOf, inr } from '../../lib/format.ts'
import { cashfreeCheckoutIn, redirectToCheckout } from './cashfree-checkout.ts'
import { QrCode } from '../../components/ui/qr-code.tsx'

const apps = [
  ['bhim_link', 'Pay in a UPI app'],
  ['gpay_link', 'Google Pay'],
  ['phonepe_link', 'PhonePe'],
  ['paytm_link', 'Paytm'],
] as const

/** An open UPI payment: links to apps first on a phone, the QR code first elsewhere, and the gateway's page, if it has them. */
export function OpenUpiPayment({ payment }: { payment: OpenPayment | undefined }) {
  const { intents = null, url = null } = payment ?? {}
  const amount = payment && inr(centsOf(payment.amount))
  // On a touch device, the payment apps are probably on the same device.
  const isTouched = window.matchMedia('(pointer: coarse)').matches
  const links = apps.flatMap(([name, label]) => (intents?.[name] === undefined ? [] : [{ label, href: intents[name] }]))
  const code = intents?.['bhim_link']
  const checkout = cashfreeCheckoutIn(intents)
  const { run, isBusy, problem } = useAction(redirectToCheckout)
  return (
    <div className="grid justify-items-start gap-5">
      <p role="status" className="text-lg font-medium">
        Waiting for your bank. This page goes on by itself.
      </p>
      {isTouched && links.length > 0 && (
        <ul aria-label="Payment apps" className="grid w-full gap-3 sm:max-w-xs">
          {links.map(({ label, href }, index) => (
            <li key={label}>
              <a className={buttonStyle({ kind: index === 0 ? 'primary' : 'plain', className: 'w-full' })} href={href}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      {code !== undefined && (
        <div className={`grid justify-items-start gap-3 ${isTouched ? 'order-last' : ''}`}>
          <QrCode text={code} label={`QR code: pay ${amount} in a UPI app`} />
          <p>Scan it with any UPI app on a phone: it asks for {amount}.</p>
        </div>
      )}
      {problem !== undefined && (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      )}
      {checkout !== undefined && (
        <Button
          kind="primary"
          className="max-sm:w-full"
          pending={isBusy && 'One moment…'}
          onClick={() => run(checkout)}
        >
          Pay on the gateway’s page
        </Button>
      )}
      {url !== null && (
        <a
          className={buttonStyle({ kind: links.length > 0 ? 'plain' : 'primary', className: 'max-sm:w-full' })}
          href={url}
          onClick={() => toast('Redirecting to UPI checkout')}
        >
          Pay on the gateway’s page
        </a>
      )}
    </div>
  )
}
