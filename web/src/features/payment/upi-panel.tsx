import { useState } from 'react'
import type { Order } from '#contract/order.ts'
import type { UpiOrder, UpiOrderCreate } from '#contract/payment.ts'
import { phoneIn } from '#contract/typed-text.ts'
import { ApiError, Failure } from '../../api/client.ts'
import { createUpiOrder, refreshOrder } from '../../api/orders.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { toast, useAction } from '../../components/ui/use-action.ts'
import { centsOf, inr } from '../../lib/format.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { cashfreeCheckoutIn, redirectToCheckout } from './cashfree-checkout.ts'
import { OpenUpiPayment } from './upi-open.tsx'
import { type PanelProps, PaymentProblem, problemOf } from './payment-problem.tsx'

const phoneKey = 'coinshop.phone'

function phoneProblem(digits: string): string | undefined {
  if (digits === '') return 'Enter the 10 digits of your phone number'
  if (!/^\d+$/.test(digits)) return 'A phone number has only digits'
  return digits.length === 10 ? undefined : `You entered ${digits.length} of 10 digits`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function UpiPanel({ order, amount, isPayable, failed }: PanelProps) {
  const [phone, setPhone] = useState(() => remembered(phoneKey, isText, 'own') ?? '')
  const [hasProblem, setProblem] = useState(false)
  const { pay, isStarted } = useUpiPayment(order, amount)
  const digits = phoneIn(phone)
  const open = order.payment?.method === 'upi' && order.paymentStatus === 'waiting' ? order.payment : null
  const isOpen = open !== null && (isAtGateway(open.url) || cashfreeCheckoutIn(open.intents) !== undefined)
  const isWaiting = order.paymentStatus !== 'failed' && (isStarted || open !== null)
  if (isWaiting) return <OpenUpiPayment payment={isOpen ? open : undefined} />
  if (!isPayable && !pay.isBusy) return null
  const problem = problemOf(pay.error, 'Payment Error', 'Failed to initiate payment. Please try again.') ?? failed
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const isWrong = phoneProblem(digits) !== undefined
        setProblem(isWrong)
        if (isWrong) document.getElementById('phone')?.focus()
        else pay.run(digits)
      }}
    >
      <Field
        id="phone"
        className="sm:max-w-xs"
        label="Phone number"
        hint="10 digits. The UPI gateway asks for it; the shop does not keep it, this tab does until it is closed."
        error={hasProblem ? phoneProblem(digits) : undefined}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        value={phone}
        onChange={({ target }) => {
          setPhone(target.value)
          remember(phoneKey, target.value, 'own')
        }}
      />
      {problem !== undefined && !pay.isBusy && <PaymentProblem orderId={order.id} {...problem} />}
      <div>
        <Button
          type="submit"
          kind="primary"
          size="large"
          className="max-sm:w-full"
          pending={pay.isBusy && 'One moment…'}
        >
          Pay {inr(centsOf(amount))} by UPI
        </Button>
      </div>
    </form>
  )
}

function useUpiPayment(order: Order, amount: string) {
  const [startedAmount, setStartedAmount] = useState<string>()
  const pay = useAction(
    async (customerPhone: string) => {
      setStartedAmount(undefined)
      const opened = await paymentOrder({ amount, orderId: order.id, customerInfo: { customerPhone } })
      const { payment_url: url, upi_intent: intents } = opened
      const checkout = cashfreeCheckoutIn(intents)
      if (checkout !== undefined) {
        await redirectToCheckout(checkout)
      } else if (isAtGateway(url) && intents === null) {
        toast('Redirecting to UPI checkout')
        window.location.assign(url)
      } else {
        setStartedAmount(amount)
        await refreshOrder(order.id)
      }
    },
    // The payment may have been opened; then its page is offered again.
    () => void refreshOrder(order.id),
  )
  // A changed amount means that this payment arrived but was too small.
  return { pay, isStarted: startedAmount === amount }
}

/** Whether the payment has a page to open. The sandbox's page is never opened. */
function isAtGateway(url: string | null): url is string {
  return url !== null && /^https?:\/\//.test(url) && !url.includes('mock_')
}

async function paymentOrder(body: UpiOrderCreate): Promise<UpiOrder> {
  try {
    return await createUpiOrder(body)
  } catch (error) {
    const hasNoMessage = error instanceof ApiError && error.problem.message === undefined
    throw hasNoMessage ? new Failure('Failed to create payment order', error.message, { cause: error }) : error
  }
}
