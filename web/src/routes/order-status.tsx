import { type ReactNode, Suspense } from 'react'
import { linkTokenOf } from '../api/link-token.ts'
import { lazily } from '../lib/lazily.ts'
import type { Order } from '#contract/order.ts'
import { isByStaff } from '../api/orders.ts'
import { useShopName } from '../api/shop.ts'
import { TextLink } from '../components/layout/policy-page.tsx'
import { Page, PageHeading, Card } from '../components/layout/page.tsx'
import { Badge } from '../components/ui/badge.tsx'
import { Button, ButtonLink } from '../components/ui/button.tsx'
import { CopyOrderLink } from '../components/ui/copy-button.tsx'
import { Line } from '../components/ui/figure.tsx'
import { Grouped } from '../components/ui/grouped.tsx'
import { Stages } from '../components/ui/stages.tsx'
import { Timeline } from '../components/ui/timeline.tsx'
import {
  ChargedTotal,
  ContactSupport,
  OrderDeadline,
  OrderDetails,
  OrderNotices,
  SellerText,
} from '../features/order/order-slip.tsx'
import { useOutcomeToast, useSeen, useWasPaid } from '../features/order/own-orders.tsx'
import { canPay, feeText, isPaid, sentenceOf, stillDueCents, wording } from '../features/order/wording.ts'
import { centsOf, inrOf, millions, money, time, usd } from '../lib/format.ts'
import { methodNames } from '../method-words.ts'

/** Few come by a mailed link. */
const OpenHere = lazily(async () => (await import('../features/order/open-here.tsx')).OpenHere)

export function OrderStatus({ order }: { order: Order }) {
  useOutcomeToast(order, useWasPaid(order))
  useSeen(order)
  const token = linkTokenOf(order.id)
  const { badge, tone } = wording[order.situation]
  const toPay = order.paymentMethod === null || order.paymentStatus === 'failed' ? 'payment-method' : 'payment'
  // Something is owed to the buyer, or disputed.
  const isOpen = order.status === 'pending' || order.attention !== null || order.toPayBackCents > 0
  const reached = order.status === 'completed' ? 3 : isPaid(order) || order.situation === 'approved' ? 1 : 0
  return (
    <Page>
      <Receipt order={order} />
      <div className="grid gap-8 print:hidden">
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <PageHeading title={`Order ${order.orderNumber}`}>
              Order <Grouped text={order.orderNumber} className="tracking-normal" />
            </PageHeading>
            <Badge tone={tone}>{badge}</Badge>
          </div>
          {order.status !== 'failed' && (
            <div className="max-w-xl">
              <Stages names={['Paid', 'Handed over', 'Delivered']} reached={reached} />
            </div>
          )}
          <p role="status" className="text-lg">
            {sentenceOf(order)}
          </p>
          {token !== undefined && (
            <Suspense fallback={null}>
              <OpenHere orderId={order.id} token={token} />
            </Suspense>
          )}
          <OrderNotices order={order} />
          <OrderDeadline order={order} />
          <div className="grid gap-3 sm:flex sm:flex-wrap">
            {canPay(order) && (
              <ButtonLink to={`/order/${order.id}/${toPay}`} kind="primary">
                Continue Payment
              </ButtonLink>
            )}
            {!isOpen && (
              <ButtonLink to="/purchase?new" kind="primary">
                Place New Order
              </ButtonLink>
            )}
            <ContactSupport order={order} />
            <CopyOrderLink orderId={order.id} />
            {order.paid !== null && <Button onClick={() => window.print()}>Receipt</Button>}
          </div>
        </div>
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Card className="grid gap-5">
            <h2 className="text-xl">Order details</h2>
            <ChargedTotal order={order} />
            <OrderDetails order={order} />
          </Card>
          <div className="grid gap-6">
            <PaymentInformation order={order} />
            {order.events !== undefined && (
              <Folded title="Timeline">
                <Timeline events={order.events} />
              </Folded>
            )}
          </div>
        </div>
        {isOpen && (
          <p>
            <TextLink to="/purchase?new">Place New Order</TextLink>
          </p>
        )}
      </div>
    </Page>
  )
}

/** A card that opens. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <details>
        <summary>
          <h2 className="inline text-xl">{title}</h2>
        </summary>
        <div className="pt-5">{children}</div>
      </details>
    </Card>
  )
}

/** Only printed: what was paid, by whom it was sold. */
function Receipt({ order }: { order: Order }) {
  const name = useShopName()
  const { paid, paymentMethod, seller, transactionData } = order
  if (paid === null) return null
  return (
    <section aria-label="Receipt" className="hidden gap-4 print:grid">
      <h2 className="text-2xl">{name}</h2>
      {seller && (
        <p>
          <SellerText seller={seller} />
        </p>
      )}
      <dl className="divide-y divide-line">
        <Line label="Receipt for order">{order.orderNumber}</Line>
        <Line label="Placed">{time(order.createdAt)}</Line>
        <Line label="Coins">{millions(order.pokecoinAmount)}</Line>
        <Line label="Total">{usd(centsOf(order.totalAmount))}</Line>
        <Line label="Paid by">{paymentMethod === null ? '' : methodNames[paymentMethod]}</Line>
        <Line label="Paid">
          {money(paid)} <span className="block font-normal">{feeText(centsOf(paid.fee))}</span>
        </Line>
        {order.refundTexts[0] && <Line label="Refunded">{order.refundTexts.join('; ')}</Line>}
        {transactionData !== null && <Line label="Payment id">{transactionData.id}</Line>}
      </dl>
    </section>
  )
}

function PaymentInformation({ order }: { order: Order }) {
  const { payment, paymentMethod, paid } = order
  const dueCents = stillDueCents(order)
  const noMethod = canPay(order) ? 'Not chosen yet' : 'None'
  return (
    <Card className="grid gap-3">
      <h2 className="text-xl">Payment information</h2>
      <dl className="divide-y divide-line">
        <Line label="Method">{paymentMethod === null ? noMethod : methodNames[paymentMethod]}</Line>
        <Line label="Payment status">{order.paymentText}</Line>
        {payment !== null && <Line label="Asked for">{money(payment)}</Line>}
        {(paid !== null || !isByStaff(order)) && (
          <Line label="Received">
            {paid === null ? usd(0) : money(paid)}
            <span className="block font-normal text-muted">{paid && feeText(centsOf(paid.fee))}</span>
          </Line>
        )}
        {dueCents > 0 && (
          <Line label="Still due">
            {usd(dueCents)} <span className="font-normal text-muted">({inrOf(dueCents, order.inrPerUsd)})</span>
          </Line>
        )}
        <Line label="Placed">{time(order.createdAt)}</Line>
      </dl>
      {order.transactionData !== null && (
        <details>
          <summary className="min-h-6 text-muted">Payment id</summary>
          <p className="font-mono text-sm wrap-anywhere">{order.transactionData.id}</p>
        </details>
      )}
    </Card>
  )
}
