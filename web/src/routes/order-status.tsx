import type { Order } from '#contract/order.ts'
import { isByStaff } from '../api/orders.ts'
import { Page, PageHeading, Card } from '../components/layout/page.tsx'
import { Badge } from '../components/ui/badge.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { CopyOrderLink } from '../components/ui/copy-button.tsx'
import { Line } from '../components/ui/figure.tsx'
import { Grouped } from '../components/ui/grouped.tsx'
import { Timeline } from '../components/ui/timeline.tsx'
import { OrderNotices, OrderDeadline } from '../features/order/order-notices.tsx'
import { ChargedTotal, OrderDetails } from '../features/order/order-slip.tsx'
import { useSeen } from '../features/order/own-orders.tsx'
import { ContactSupport } from '../features/order/support.tsx'
import { useOutcomeToast, useWasPaid } from '../features/order/use-outcome-toast.ts'
import { canPay, feeText, stillDueCents, wording } from '../features/order/wording.ts'
import { centsOf, inrOf, money, time, usd } from '../lib/format.ts'
import { methodNames } from '../method-words.ts'

export function OrderStatus({ order }: { order: Order }) {
  useOutcomeToast(order, useWasPaid(order))
  useSeen(order)
  const { badge, tone } = wording[order.situation]
  const toPay = order.paymentMethod === null || order.paymentStatus === 'failed' ? 'payment-method' : 'payment'
  return (
    <Page>
      <div className="grid gap-8">
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <PageHeading title={`Order ${order.orderNumber}`}>
              Order <Grouped text={order.orderNumber} className="tracking-normal" />
            </PageHeading>
            <Badge tone={tone}>{badge}</Badge>
          </div>
          <p role="status" className="text-lg">
            {wording[order.situation].sentence}
          </p>
          <OrderNotices order={order} />
          <OrderDeadline order={order} />
          <div className="grid gap-3 sm:flex sm:flex-wrap">
            <ButtonLink to={canPay(order) ? `/order/${order.id}/${toPay}` : '/purchase?new'} kind="primary">
              {canPay(order) ? 'Continue Payment' : 'Place New Order'}
            </ButtonLink>
            <ContactSupport order={order} />
            <CopyOrderLink orderId={order.id} />
          </div>
        </div>
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="grid gap-6">
            <Card className="grid gap-5">
              <h2 className="text-xl">Order details</h2>
              <ChargedTotal order={order} />
              <OrderDetails order={order} />
            </Card>
            <PaymentInformation order={order} />
          </div>
          {order.events !== undefined && (
            <Card className="grid gap-5">
              <h2 className="text-xl">Timeline</h2>
              <Timeline events={order.events} />
            </Card>
          )}
        </div>
      </div>
    </Page>
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
        {order.transactionData !== null && (
          <Line label="Payment id">
            <span className="font-mono">{order.transactionData.id}</span>
          </Line>
        )}
        <Line label="Placed">{time(order.createdAt)}</Line>
      </dl>
    </Card>
  )
}
