import type { ReactNode } from 'react'
import type { Order } from '#contract/order.ts'
import { isMissing } from '../../api/client.ts'
import { useOrder } from '../../api/orders.ts'
import { useUpdates } from '../../api/updates.ts'
import { Page, PageHeading } from '../../components/layout/page.tsx'
import { ButtonLink } from '../../components/ui/button.tsx'
import { LoadError, StaleNote } from '../../components/ui/notice.tsx'
import { Loading, Skeleton } from '../../components/ui/skeleton.tsx'

interface OrderScreenProps {
  orderId: string
  everyMs: number
  /** The heading while the order is not there yet. */
  heading: string
  children: (order: Order) => ReactNode
}

/** Loads an order for a screen: its skeleton, its absence and its failure look the same everywhere. */
export function OrderScreen({ orderId, everyMs, heading, children }: OrderScreenProps) {
  const { data: order, error, mutate } = useOrder(orderId, everyMs)
  useUpdates(['settings'], orderId)
  if (order !== undefined && !isMissing(error)) {
    return (
      <>
        {children(order)}
        <div className="mx-auto w-full max-w-page px-4 sm:px-6">
          <StaleNote error={error} />
        </div>
      </>
    )
  }
  if (isMissing(error)) return <OrderNotFound orderId={orderId} />
  return (
    <Page width="reading">
      <div className="grid gap-6">
        <PageHeading>{heading}</PageHeading>
        {error === undefined ? (
          <Loading what="your order">
            <div className="grid gap-4">
              <Skeleton className="h-6 w-72" />
              <Skeleton className="h-dvh w-full" />
            </div>
          </Loading>
        ) : (
          <LoadError title="Your order could not be loaded" error={error} onRetry={() => void mutate()} />
        )}
      </div>
    </Page>
  )
}

function OrderNotFound({ orderId }: { orderId: string }) {
  return (
    <Page width="narrow">
      <div className="grid justify-items-start gap-4">
        <PageHeading>Order Not Found</PageHeading>
        <p className="text-lg wrap-anywhere">Order {orderId} could not be found.</p>
        <p className="text-muted">Check that the whole address was copied, down to its last character.</p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/purchase" kind="primary">
            Place New Order
          </ButtonLink>
          <ButtonLink to="/contact">Contact Support</ButtonLink>
        </div>
      </div>
    </Page>
  )
}
