import { useParams } from 'react-router-dom'
import { isMissing } from '../api/client.ts'
import { ORDER_PAYMENT_EVERY_MS, ORDER_STATUS_EVERY_MS, useOrder } from '../api/orders.ts'
import { useUpdates } from '../api/updates.ts'
import { Page, PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { Loaded, Skeleton, StaleNote } from '../components/ui/loaded.tsx'
import { Checkout } from './checkout.tsx'
import { Confirm } from './confirm.tsx'
import { OrderStatus } from './order-status.tsx'
import { ChooseMethod } from './payment-method.tsx'
import { Payment } from './payment.tsx'

/** `heading` is shown until the order is loaded. */
const screens = {
  Checkout: { Screen: Checkout, heading: 'Check your order' },
  PaymentMethod: { Screen: ChooseMethod, heading: 'How do you want to pay?' },
  Payment: { Screen: Payment, heading: 'Payment' },
  Confirm: { Screen: Confirm, heading: 'Your order' },
  OrderStatus: { Screen: OrderStatus, heading: 'Your order' },
}

/** Loads the order in the address and shows one of its screens. All share how they load and fail. */
export function OrderScreens({ screen }: { screen: keyof typeof screens }) {
  const { orderId = '' } = useParams()
  const response = useOrder(orderId, screen === 'Payment' ? ORDER_PAYMENT_EVERY_MS : ORDER_STATUS_EVERY_MS)
  useUpdates(['settings'], orderId)
  if (isMissing(response.error)) return <OrderNotFound orderId={orderId} />
  const { Screen, heading } = screens[screen]
  if (response.data !== undefined)
    return (
      // The footer stays below the window, so that no screen moves it.
      <div className="min-h-dvh">
        <Screen key={`${screen} ${orderId}`} order={response.data} />
        <div className="mx-auto w-full max-w-page px-4 sm:px-6">
          <StaleNote error={response.error} />
        </div>
      </div>
    )
  return (
    <Page width="reading">
      <div className="grid gap-6">
        <PageHeading>{heading}</PageHeading>
        <Loaded
          response={response}
          loading="Loading your order…"
          failure="Your order could not be loaded"
          skeleton={
            <div className="grid gap-4">
              <p className="text-lg">Keep the link to this page: it is the only key to your order.</p>
              <Skeleton className="h-dvh w-full" />
            </div>
          }
        />
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
          <ButtonLink to="/find-order">Find Your Order</ButtonLink>
          <ButtonLink to="/contact">Contact Support</ButtonLink>
        </div>
      </div>
    </Page>
  )
}
