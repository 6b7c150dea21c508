import { type ComponentType, Suspense, useEffect, useRef } from 'react'
import type { Order, PaymentMethod, Situation } from '#contract/order.ts'
import { useSettings } from '../api/settings.ts'
import { BackLink, Card, Page, PageHeading } from '../components/layout/page.tsx'
import { StepLine, stepTitles } from '../components/layout/steps.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { Notice } from '../components/ui/notice.tsx'
import {
  ChargedTotal,
  ContactSupport,
  OrderDeadline,
  OrderNotices,
  OrderNumber,
  OrderTotal,
} from '../features/order/order-slip.tsx'
import { Skeleton } from '../components/ui/loaded.tsx'
import { canPay, holdsUntil, isPaid, wording } from '../features/order/wording.ts'
import { lazily } from '../lib/lazily.ts'
import { failureWords, methodNames } from '../method-words.ts'
import { type MethodOffer, offersOf } from '../features/payment/method-offers.ts'
import type { PanelProps } from '../features/payment/payment-problem.tsx'
import { useConfirmWhen } from '../features/payment/use-confirm.ts'
import { useShop } from '../api/shop.ts'
import { toast } from '../components/ui/use-action.ts'
import { Stages } from '../components/ui/stages.tsx'

/** Each panel is loaded only for buyers who pay by its method. */
const panels: Record<PaymentMethod, ComponentType<PanelProps>> = {
  paypal: lazily(async () => (await import('../features/payment/paypal-panel.tsx')).PaypalPanel),
  crypto: lazily(async () => (await import('../features/payment/crypto-panel.tsx')).CryptoPanel),
  upi: lazily(async () => (await import('../features/payment/upi-panel.tsx')).UpiPanel),
}
const title = `Step 5 of 6: ${stepTitles[4]}`

export function Payment({ order }: { order: Order }) {
  const { data: settings } = useSettings()
  const isDone = isPaid(order)
  useConfirmWhen(isDone, order.id)
  useSuccessToast(order, isDone)
  const situation = order.situation
  const asksNothing = order.status === 'failed' || situation === 'looked-into'
  const offer = asksNothing ? undefined : offersOf(order, settings).find((one) => one.method === order.paymentMethod)
  const isPayable = canPay(order)
  const isOnItsWay = !isDone && (situation === 'seen' || (situation === 'waiting' && !isPayable))
  return (
    <Page width="reading">
      <div className="grid gap-4 sm:gap-6">
        <StepLine step={isDone ? 6 : 5}>{!isDone && <BackLink to={`/order/${order.id}/payment-method`} />}</StepLine>
        <PageHeading title={isDone ? 'Payment Completed!' : title}>
          {isDone
            ? 'Payment Completed!'
            : asksNothing || order.paymentMethod === null
              ? 'Payment'
              : `Pay by ${methodNames[order.paymentMethod]}`}
        </PageHeading>
        <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 sm:py-4">
          <Amount order={order} offer={offer} isDone={isDone} />
          <OrderNumber order={order} isStacked />
        </Card>
        <StateNotice order={order} situation={isOnItsWay ? 'seen' : situation} />
        <OrderNotices order={order}>{situation === 'looked-into' && <OtherActions order={order} />}</OrderNotices>
        {/* While PayPal takes the money, the panel must stay mounted to wait for PayPal's response. */}
        {!isDone && (isOnItsWay || isPayable) && <Panel order={order} offer={offer} />}
        {(isOnItsWay || (offer !== undefined && !panelShowsState(order))) && <OrderDeadline order={order} />}
        {!asksNothing && order.paymentMethod !== null && (
          <Stages names={['Payment seen', 'Confirmed', 'Delivered']} reached={stagesReached(order)} />
        )}
        {order.status === 'failed' && (
          <Notice tone="bad" title={wording[situation].sentence} role="alert">
            <p>If you have paid all the same, your money is recorded: look at the order’s status.</p>
            <OtherActions order={order} />
          </Notice>
        )}
      </div>
    </Page>
  )
}

/** Whether the method's panel itself shows the payment's state and the order's deadline. */
function panelShowsState({ paymentMethod }: Order): boolean {
  return paymentMethod === 'crypto'
}

function StateNotice({ order, situation }: { order: Order; situation: Situation }) {
  if (!isPaid(order) && (panelShowsState(order) || !['seen', 'short'].includes(situation))) return null
  return (
    <Notice tone={isPaid(order) ? 'good' : situation === 'seen' ? 'info' : 'wait'} role="status">
      {wording[situation].sentence}
    </Notice>
  )
}

/** Links for an order that cannot be paid here. */
function OtherActions({ order }: { order: Order }) {
  const hasEnded = order.status === 'failed'
  return (
    <div className="flex flex-wrap gap-3">
      {hasEnded && (
        <ButtonLink to="/purchase?new" kind="primary">
          Place New Order
        </ButtonLink>
      )}
      <ButtonLink to={`/order/${order.id}`}>View Order Status</ButtonLink>
      {!hasEnded && <ContactSupport order={order} />}
    </div>
  )
}

function Amount({ order, offer, isDone }: { order: Order; offer: MethodOffer | undefined; isDone: boolean }) {
  if (isDone) return <ChargedTotal order={order} />
  if (offer === undefined) return <OrderTotal order={order} />
  return <OrderTotal order={order} label={order.paidCents > 0 ? 'Still to pay' : 'You pay'} amount={offer.charge} />
}

function Panel({ order, offer }: { order: Order; offer: MethodOffer | undefined }) {
  const isUnderWay =
    order.payment?.method === offer?.method && ['waiting', 'processing', 'partially_paid'].includes(order.paymentStatus)
  if (offer === undefined || (!offer.isAvailable && !isUnderWay)) {
    const reason = offer ? offer.reason : 'No payment method selected or invalid payment method.'
    return (
      <Notice tone="wait" title={reason ?? 'Currently unavailable'}>
        {offer && (
          <p>{methodNames[offer.method]} cannot be used for this order now. Please choose another way to pay.</p>
        )}
        <p>
          <ButtonLink to={`/order/${order.id}/payment-method`} kind={offer === undefined ? 'primary' : 'plain'}>
            Select Payment Method
          </ButtonLink>
        </p>
      </Notice>
    )
  }
  const MethodPanel = panels[offer.method]
  const failed =
    order.situation === 'failed-payment' ? failureWords(offer.method, order.transactionData?.status) : undefined
  return (
    <Suspense fallback={<Skeleton className={panelShowsState(order) ? 'h-dvh w-full' : 'h-12 w-60'} />}>
      <MethodPanel
        order={order}
        amount={offer.amount}
        holds={holdsUntil(order)}
        isPayable={canPay(order)}
        failed={failed}
      />
    </Suspense>
  )
}

/** Shows a toast when the order becomes fully paid while the page is open. */
function useSuccessToast(order: Order, isDone: boolean): void {
  // An order approved by staff may be done without money.
  const isPaid = isDone && order.paidCents > 0
  const isSandbox = useShop()?.payments === 'sandbox'
  const wasPaid = useRef(isPaid)
  useEffect(() => {
    if (wasPaid.current || !isPaid) return
    wasPaid.current = true
    if (order.paymentMethod === 'paypal') toast('Payment Successful')
    // The sandbox pays after two seconds.
    if (order.paymentMethod === 'upi' && isSandbox) toast('Mock Payment Successful')
  }, [isPaid, isSandbox, order.paymentMethod])
}

/** How many stages are done. */
function stagesReached(order: Pick<Order, 'status' | 'paymentStatus'>): number {
  if (order.status === 'completed') return 3
  if (order.paymentStatus === 'completed') return 2
  return order.paymentStatus === 'processing' || order.paymentStatus === 'partially_paid' ? 1 : 0
}
