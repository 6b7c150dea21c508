import { type ComponentType, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Order, PaymentMethod } from '#contract/order.ts'
import { ORDER_PAYMENT_EVERY_MS } from '../api/orders.ts'
import { useSettings } from '../api/settings.ts'
import { BackLink, Page, PageHeading, Sheet } from '../components/layout/page.tsx'
import { StepLine, stepTitles } from '../components/layout/steps.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { InFours } from '../components/ui/in-fours.tsx'
import { Notice } from '../components/ui/notice.tsx'
import { OrderDeadline } from '../features/order/order-deadline.tsx'
import { OrderScreen } from '../features/order/order-screen.tsx'
import { ProviderAway } from '../features/order/provider-away.tsx'
import { ContactSupport } from '../features/order/support.tsx'
import { OrderTotal, PaidTotal } from '../features/order/order-slip.tsx'
import { Skeleton } from '../components/ui/skeleton.tsx'
import { canPay, holdsUntil, isPaid, situationOf, wording } from '../features/order/wording.ts'
import { lazily } from '../lib/lazily.ts'
import { methodNames } from '../payment-methods.ts'
import { type MethodOffer, offersOf } from '../features/payment/method-offers.ts'
import type { PanelProps } from '../features/payment/panel.ts'
import { ProgressLine } from '../features/payment/progress-line.tsx'
import { useSuccessToast } from '../features/payment/use-success-toast.ts'

const CONFIRM_AFTER_MS = 1_000

interface MethodPanel {
  readonly Panel: ComponentType<PanelProps>
  /** Whether the panel itself shows the amount and the time that are left. */
  readonly saysWhatIsLeft: boolean
}

/** Each is loaded for a buyer who pays by it. */
const panels: Record<PaymentMethod, MethodPanel> = {
  paypal: {
    Panel: lazily(async () => (await import('../features/payment/paypal-panel.tsx')).PaypalPanel),
    saysWhatIsLeft: false,
  },
  crypto: {
    Panel: lazily(async () => (await import('../features/payment/crypto-panel.tsx')).CryptoPanel),
    saysWhatIsLeft: true,
  },
  upi: {
    Panel: lazily(async () => (await import('../features/payment/upi-panel.tsx')).UpiPanel),
    saysWhatIsLeft: false,
  },
}
const title = `Step 5 of 6: ${stepTitles[4]}`

export function Payment() {
  return <OrderScreen heading="Payment" everyMs={ORDER_PAYMENT_EVERY_MS} screen={PaymentOf} />
}

function PaymentOf({ order }: { order: Order }) {
  const { data: settings } = useSettings()
  const isDone = isPaid(order)
  useConfirmWhen(isDone, order.id)
  useSuccessToast(order, isDone)
  const isOver = order.status === 'failed'
  const situation = situationOf(order)
  const asksNothing = isOver || situation === 'looked-into'
  const offer = asksNothing ? undefined : offersOf(order, settings).find((one) => one.method === order.paymentMethod)
  const saysWhatIsLeft = order.paymentMethod !== null && panels[order.paymentMethod].saysWhatIsLeft
  const attention = order.attention?.forBuyer ?? undefined
  const isPayable = canPay(order)
  const isOnItsWay = !isDone && (situation === 'seen' || (situation === 'waiting' && !isPayable))
  return (
    <Page width="reading">
      <div className="grid gap-6">
        <div>
          {!isDone && <BackLink to={`/order/${order.id}/payment-method`} />}
          <StepLine step={isDone ? 6 : 5} />
        </div>
        <PageHeading title={isDone ? 'Payment Completed!' : title}>
          {isDone
            ? 'Payment Completed!'
            : asksNothing || order.paymentMethod === null
              ? 'Payment'
              : `Pay by ${methodNames[order.paymentMethod]}`}
        </PageHeading>
        <Sheet className="flex flex-wrap items-center justify-between gap-4">
          <Amount order={order} offer={offer} isDone={isDone} />
          <p className="grid sm:justify-items-end">
            <span className="text-sm text-muted">Order</span>
            <InFours text={order.orderNumber} className="text-lg font-semibold" />
          </p>
        </Sheet>
        {offer !== undefined && <ProgressLine order={order} />}
        {!isDone && <ProviderAway order={order} />}
        {isDone && (
          <Notice tone="good" role="status">
            <p>{wording[situation].sentence}</p>
          </Notice>
        )}
        {isOnItsWay && !saysWhatIsLeft && (
          <Notice tone="info" role="status">
            <p>{wording.seen.sentence}</p>
          </Notice>
        )}
        {situation === 'short' && !saysWhatIsLeft && (
          <Notice tone="wait" role="status">
            <p>{wording.short.sentence}</p>
          </Notice>
        )}
        {attention !== undefined && (
          <Notice tone="wait">
            <p>{attention}</p>
            {situation === 'looked-into' && (
              <div className="flex flex-wrap gap-3">
                <ButtonLink to={`/order/${order.id}`}>View Order Status</ButtonLink>
                <ContactSupport order={order} />
              </div>
            )}
          </Notice>
        )}
        {/* While PayPal takes the money nothing else may be paid; the panel stays, since it waits for PayPal's answer. */}
        {!isDone && (isOnItsWay || isPayable) && <Panel order={order} offer={offer} />}
        {(isOnItsWay || (isPayable && offer !== undefined && !saysWhatIsLeft)) && <OrderDeadline order={order} />}
        {isOver && <Ended order={order} />}
      </div>
    </Page>
  )
}

function Amount({ order, offer, isDone }: { order: Order; offer: MethodOffer | undefined; isDone: boolean }) {
  if (isDone) return <PaidTotal order={order} />
  if (offer === undefined) return <OrderTotal order={order} />
  return <OrderTotal order={order} label={order.paidCents > 0 ? 'Still to pay' : 'You pay'} amount={offer.charge} />
}

function Panel({ order, offer }: { order: Order; offer: MethodOffer | undefined }) {
  const choose = (
    <p>
      <ButtonLink to={`/order/${order.id}/payment-method`} kind={offer === undefined ? 'primary' : 'plain'}>
        Select Payment Method
      </ButtonLink>
    </p>
  )
  if (offer === undefined) {
    return (
      <Notice tone="wait" title="No payment method selected or invalid payment method.">
        {choose}
      </Notice>
    )
  }
  const isUnderWay =
    order.payment?.method === offer.method && ['waiting', 'processing', 'partially_paid'].includes(order.paymentStatus)
  if (!offer.isAvailable && !isUnderWay) {
    return (
      <Notice tone="wait" title={offer.reason ?? 'Currently unavailable'}>
        <p>{methodNames[offer.method]} cannot be used for this order now. Please choose another way to pay.</p>
        {choose}
      </Notice>
    )
  }
  const { Panel: MethodPanel } = panels[offer.method]
  const lastFailed = situationOf(order) === 'failed-payment' ? wording['failed-payment'].sentence : undefined
  return (
    <Suspense fallback={<Skeleton className="h-12 w-60" />}>
      <MethodPanel
        order={order}
        amount={offer.amount}
        holds={holdsUntil(order)}
        isPayable={canPay(order)}
        lastFailed={lastFailed}
      />
    </Suspense>
  )
}

function Ended({ order }: { order: Order }) {
  return (
    <Notice tone="bad" title={wording[situationOf(order)].sentence} role="alert">
      <p>If you have paid all the same, your money is recorded: look at the order’s status.</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/purchase?new" kind="primary">
          Place New Order
        </ButtonLink>
        <ButtonLink to={`/order/${order.id}`}>View Order Status</ButtonLink>
      </div>
    </Notice>
  )
}

function useConfirmWhen(isDone: boolean, orderId: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => void navigate(`/order/${orderId}/confirm`, { replace: true }), CONFIRM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDone, orderId, navigate])
}
