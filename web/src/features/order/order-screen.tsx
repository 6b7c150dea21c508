import type { ComponentType } from 'react'
import { useParams } from 'react-router-dom'
import type { Order } from '#contract/order.ts'
import { isMissing } from '../../api/client.ts'
import { useOrder } from '../../api/orders.ts'
import { useIsReachable } from '../../api/shop.ts'
import { useUpdates } from '../../api/updates.ts'
import { Page, PageHeading } from '../../components/layout/page.tsx'
import { ButtonLink } from '../../components/ui/button.tsx'
import { Loaded, StaleNote } from '../../components/ui/loaded.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'

interface OrderScreenProps {
  everyMs?: number
  /** The heading while the order is not there yet. */
  heading: string
  screen: ComponentType<{ order: Order }>
}

/** Loads the order of the address for a screen: its skeleton, its absence and its failure look the same everywhere. */
export function OrderScreen({ everyMs, heading, screen: Screen }: OrderScreenProps) {
  const { orderId = '' } = useParams()
  const answer = useOrder(orderId, everyMs)
  useUpdates(['settings'], orderId)
  if (isMissing(answer.error)) return <OrderNotFound orderId={orderId} />
  if (answer.data !== undefined) {
    return (
      <>
        <Screen key={orderId} order={answer.data} />
        <div className="mx-auto w-full max-w-page px-4 sm:px-6">
          <StaleNote error={answer.error} />
        </div>
      </>
    )
  }
  return (
    <Page width="reading">
      <div className="grid gap-6">
        <PageHeading>{heading}</PageHeading>
        <Loaded
          answer={answer}
          loading="Loading your order…"
          failure="Your order could not be loaded"
          skeleton={
            <div className="grid gap-4">
              <Skeleton className="h-6 w-72" />
              <Skeleton className="h-dvh w-full" />
            </div>
          }
        />
      </div>
    </Page>
  )
}

function OrderNotFound({ orderId }: { orderId: string }) {
  const isReachable = useIsReachable()
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
          {isReachable && <ButtonLink to="/contact">Contact Support</ButtonLink>}
        </div>
      </div>
    </Page>
  )
}
