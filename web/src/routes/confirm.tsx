import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Order, Situation } from '#contract/order.ts'
import { claims } from '../claims.ts'
import { CoinStack } from '../components/coins/coin-stack.tsx'
import { BackLink, Card, Page, PageHeading } from '../components/layout/page.tsx'
import { StepLine } from '../components/layout/steps.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { CopyOrderLink } from '../components/ui/copy-button.tsx'
import { Notice } from '../components/ui/notice.tsx'
import { ChargedTotal, ContactSupport, OrderDetails, OrderNotices, OrderNumber } from '../features/order/order-slip.tsx'
import { useOutcomeToast, useSeen, useWasPaid } from '../features/order/own-orders.tsx'
import { canPay, sentenceOf, wording } from '../features/order/wording.ts'
import { currentDraft, startNewDraft } from '../features/purchase/draft.ts'
import { remember, remembered } from '../lib/storage.ts'

export function Confirm({ order }: { order: Order }) {
  const isDone = useWasPaid(order)
  useOutcomeToast(order, isDone)
  useSeen(order)
  useEffect(() => {
    if (isDone && currentDraft().placed?.orderId === order.id) startNewDraft()
  }, [isDone, order.id])
  return isDone ? <Paid order={order} /> : <NotPaid order={order} />
}

const headings: Partial<Record<Situation, string>> = {
  approved: 'Your order is approved.',
  completed: 'The coins are yours.',
  delivered: 'The coins are yours.',
  'taken-back': 'The coins are yours.',
  'looked-into': 'We are looking into your order.',
  short: 'Partly paid',
}

function Paid({ order }: { order: Order }) {
  const situation = order.situation
  return (
    <Page width="reading">
      {wording[situation].tone === 'good' && <Confetti orderId={order.id} />}
      <div className="grid gap-4 sm:gap-6">
        <StepLine step={6}>
          <BackLink to="/">Back to Home</BackLink>
        </StepLine>
        <div className="flex flex-wrap-reverse items-start justify-between gap-6">
          <div className="grid gap-3">
            <PageHeading title="Order confirmed">{headings[situation] ?? 'Your payment is safe.'}</PageHeading>
            <OrderNumber order={order} />
          </div>
          <CoinStack quantityM={order.pokecoinAmount} className="-mt-10 h-40 max-sm:hidden" />
        </div>
        <Card className="grid gap-5">
          <ChargedTotal order={order} />
          <OrderDetails order={order} />
        </Card>
        <section aria-labelledby="next" className="grid justify-items-start gap-2">
          <h2 id="next" className="text-xl">
            What happens next
          </h2>
          <p className="max-w-reading">{wording[order.situation].sentence}</p>
          <OrderNotices order={order} />
          <p className="max-w-reading text-muted">
            Keep the link to this order: it is the only key to it. {ifNothingComes(situation)}
          </p>
          <CopyOrderLink orderId={order.id} />
        </section>
        <div className="grid gap-3 sm:flex sm:flex-wrap">
          <ButtonLink to={`/order/${order.id}`} kind="primary">
            View Order Status
          </ButtonLink>
          <ButtonLink to="/purchase?new">Place New Order</ButtonLink>
          <ContactSupport order={order} />
        </div>
      </div>
    </Page>
  )
}

/** A pre-order may take longer than the time limit for complaints. */
function ifNothingComes(situation: Situation): string {
  if (situation === 'pre-ordered')
    return 'Its page says when the coins are in stock and handed over; if that takes longer, contact support with your order number.'
  return `If the coins do not show on your market listing, contact support with your order number within ${claims.refundWindow}.`
}

const checking = {
  sentence: 'We ask the payment provider by ourselves. This page goes on as soon as your payment is known.',
  tone: 'wait',
} as const

function NotPaid({ order }: { order: Order }) {
  const situation = order.situation
  // A return from the provider's page does not say whether the buyer paid.
  const isChecked = useSearchParams()[0].has('returned') && situation === 'waiting'
  const { sentence, tone } = isChecked ? checking : { ...wording[situation], sentence: sentenceOf(order) }
  const toPay = situation === 'failed-payment' ? 'payment-method' : 'payment'
  return (
    <Page width={canPay(order) ? 'reading' : 'narrow'}>
      {canPay(order) && <StepLine step={5} />}
      <div className="mt-4 grid justify-items-start gap-4 sm:mt-6 sm:gap-5">
        <PageHeading>
          {isChecked
            ? 'Checking your payment'
            : (headings[situation] ?? (order.status === 'failed' ? 'This order has ended' : 'Not paid yet'))}
        </PageHeading>
        <OrderNumber order={order} />
        <Notice tone={tone === 'bad' ? 'bad' : 'wait'} role="status">
          {sentence}
        </Notice>
        <OrderNotices order={order} />
        <div className="grid gap-3 max-sm:w-full sm:flex sm:flex-wrap">
          {canPay(order) && (
            <ButtonLink to={`/order/${order.id}/${toPay}`} reloadDocument kind="primary">
              {toPay === 'payment' ? 'Continue Payment' : 'Choose another method'}
            </ButtonLink>
          )}
          <ButtonLink to={`/order/${order.id}`}>View Order Status</ButtonLink>
          <ContactSupport order={order} />
        </div>
      </div>
    </Page>
  )
}

const PIECES = 50
const LASTS_MS = 3_000
const shownKey = 'coinshop.celebrated'
const colours = ['bg-amber', 'bg-amber-edge', 'bg-green', 'bg-blue', 'bg-ink']

/** Shown once per order, and not if the user prefers reduced motion. */
function Confetti({ orderId }: { orderId: string }) {
  const isShown = remembered(shownKey, (value): value is string => value === orderId) !== undefined
  const [isOn, setOn] = useState(() => !window.matchMedia('(prefers-reduced-motion: reduce)').matches && !isShown)
  useEffect(() => {
    remember(shownKey, orderId)
    const timer = setTimeout(() => setOn(false), LASTS_MS)
    return () => clearTimeout(timer)
  }, [orderId])
  if (!isOn) return null
  return (
    <div aria-hidden="true" data-confetti className="pointer-events-none fixed inset-0 z-30 overflow-hidden">
      {Array.from({ length: PIECES }, (_, index) => (
        <span
          key={index}
          className={`absolute -top-4 block animate-confetti ${index % 3 === 0 ? 'size-3 rounded-full' : 'h-3 w-2'} ${colours[index % colours.length]}`}
          style={{
            left: `${(index * 61) % 100}%`,
            animationDelay: `${(index * 37) % 900}ms`,
            rotate: `${(index * 47) % 360}deg`,
          }}
        />
      ))}
    </div>
  )
}
