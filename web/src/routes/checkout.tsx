import { useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router-dom'
import type { Order } from '#contract/order.ts'
import { cancelOrder, refreshOrder } from '../api/orders.ts'
import { ActionBar, BackLink, Page, PageHeading, Card } from '../components/layout/page.tsx'
import { StepLine, stepTitles, useEnter } from '../components/layout/steps.tsx'
import { Badge } from '../components/ui/badge.tsx'
import { Button, ButtonLink } from '../components/ui/button.tsx'
import { ConfirmDialog } from '../components/ui/confirm-dialog.tsx'
import { toast, useAction } from '../components/ui/use-action.ts'
import { ChargedTotal, OrderDeadline, OrderDetails, OrderNotices, OrderNumber } from '../features/order/order-slip.tsx'
import { canPay, sentenceOf, wording } from '../features/order/wording.ts'
import { goBackToChange, useDraft } from '../features/purchase/draft.ts'

export function Checkout({ order }: { order: Order }) {
  const isOfThisDraft = useDraft().placed?.orderId === order.id
  const navigate = useNavigate()
  useEnter(canPay(order) ? () => void navigate(`/order/${order.id}/payment-method`) : undefined)
  if (order.status === 'completed') return <Navigate to={`/order/${order.id}`} replace />
  const { badge, tone } = wording[order.situation]
  return (
    <Page width="reading">
      <div className="grid gap-4 sm:gap-6">
        <StepLine step={4}>
          {isOfThisDraft && canPay(order) ? (
            <BackLink to="/purchase?step=3" onClick={goBackToChange} />
          ) : (
            <BackLink to="/">Home</BackLink>
          )}
        </StepLine>
        <PageHeading title={`Step 4 of 6: ${stepTitles[3]}`}>Check your order</PageHeading>
        <Card className="grid gap-5">
          <div className="flex flex-wrap items-start justify-between gap-4">
            <ChargedTotal order={order} />
            <div className="grid justify-items-start gap-1.5 sm:justify-items-end">
              <OrderNumber order={order} />
              <Badge tone={tone}>{badge}</Badge>
            </div>
          </div>
          <OrderDetails order={order} {...(isOfThisDraft && canPay(order) ? { change: changeLink } : {})} />
        </Card>
        <div className="grid gap-1">
          <p role="status">{sentenceOf(order)}</p>
          <OrderDeadline order={order} />
        </div>
        <OrderNotices order={order} />
        <ActionBar>
          <ButtonLink
            to={canPay(order) ? `/order/${order.id}/payment-method` : '/purchase?new'}
            kind="primary"
            size="large"
            className="max-sm:w-full"
          >
            {canPay(order) ? 'Continue to Payment' : 'Place New Order'}
          </ButtonLink>
        </ActionBar>
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink to={`/order/${order.id}`} className="max-sm:w-full">
            View Order Status
          </ButtonLink>
          {order.may.cancel && <Cancel order={order} />}
        </div>
      </div>
    </Page>
  )
}

/** Cancels the order after a confirmation. */
function Cancel({ order }: { order: Order }) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const cancel = useAction(async () => {
    try {
      await cancelOrder(order.id)
    } finally {
      setAsking(false)
      void refreshOrder(order.id)
    }
    toast('Order Cancelled', `Order ${order.orderNumber} was cancelled. Nothing is owed.`)
    await navigate('/')
  }, 'The order was not cancelled')
  return (
    <>
      <Button kind="danger" className="max-sm:w-full sm:ml-auto" onClick={() => setAsking(true)}>
        Cancel Order
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Cancel this order?"
          action="Cancel Order"
          keep="Keep the order"
          kind="danger"
          size="normal"
          pending={cancel.isBusy && 'Cancelling…'}
          onConfirm={cancel.run}
          onClose={() => setAsking(false)}
        >
          <p>{!order.preOrder && 'Its coins go back on the counter. '}Nothing was paid, so nothing is paid back.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function changeLink(step: 1 | 2 | 3, what: string) {
  return (
    <Link
      className="link ml-2 inline-flex min-h-6 items-center font-normal"
      to={step === 1 ? '/purchase' : `/purchase?step=${step}`}
      onClick={goBackToChange}
    >
      Change<span className="sr-only"> {what}</span>
    </Link>
  )
}
