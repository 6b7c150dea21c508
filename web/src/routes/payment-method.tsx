import { useRef, useState } from 'react'
import type { Order } from '#contract/order.ts'
import { sayRefusalOr } from '../api/client.ts'
import { choosePaymentMethod } from '../api/orders.ts'
import { useSettings } from '../api/settings.ts'
import { ActionBar, BackLink, Page, PageHeading } from '../components/layout/page.tsx'
import { StepLine, stepTitles } from '../components/layout/steps.tsx'
import { useEnter } from '../components/layout/use-enter.ts'
import { Button, ButtonLink } from '../components/ui/button.tsx'
import { FieldError } from '../components/ui/field.tsx'
import { Notice } from '../components/ui/notice.tsx'
import { toast } from '../components/ui/toast.ts'
import { useAction } from '../components/ui/use-action.ts'
import { OrderTotal } from '../features/order/order-slip.tsx'
import { canPay, sentenceOf } from '../features/order/wording.ts'
import { MethodChoice } from '../features/payment/method-choice.tsx'
import { offersOf } from '../features/payment/method-offers.ts'
import { goToPayment } from '../features/payment/go-to-payment.ts'

const title = `Step 4 of 6: ${stepTitles[3]}`
const FAILED = 'Failed to update payment method. Please try again.'
const unchosen = "Choose how you'd like to pay for your order."

export function ChooseMethod({ order }: { order: Order }) {
  return canPay(order) ? <Choice order={order} /> : <NothingToPay order={order} />
}

function Choice({ order }: { order: Order }) {
  const { data: settings } = useSettings()
  const offers = offersOf(order, settings)
  const [picked, setPicked] = useState(order.paymentMethod)
  const [isRefused, setRefused] = useState(false)
  const chosen = offers.find((offer) => offer.method === picked && offer.isAvailable)?.method

  const proceed = useAction(
    async () => {
      if (chosen === undefined) {
        toast('Please select a payment method', unchosen)
        return setRefused(true)
      }
      if (order.paymentMethod !== chosen || order.paymentStatus === 'failed')
        await choosePaymentMethod(order.id, chosen)
      await goToPayment(order.id)
    },
    (error) => toast('Error', sayRefusalOr(FAILED, error), { destructive: true }),
  )

  const form = useRef<HTMLFormElement>(null)
  useEnter(chosen === undefined ? undefined : () => form.current?.requestSubmit())

  const isMissing = isRefused && chosen === undefined
  return (
    <Page width="reading">
      <form
        ref={form}
        noValidate
        className="grid gap-4 sm:gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          proceed.run()
        }}
      >
        <StepLine step={4}>
          <BackLink to={`/checkout/${order.id}`} />
        </StepLine>
        <PageHeading title={isMissing ? `Error: ${title}` : title}>How do you want to pay?</PageHeading>
        <OrderTotal order={order} />
        {order.paymentStatus === 'failed' && (
          <Notice tone="bad">
            <p>{sentenceOf(order)}</p>
          </Notice>
        )}
        {!offers.some((offer) => offer.isAvailable) && (
          <Notice tone="wait" title="No payment method is available right now">
            <p>Your order is kept. This page looks again by itself.</p>
          </Notice>
        )}
        <FieldError id="method" error={isMissing ? 'Please select a payment method' : undefined} />
        <MethodChoice offers={offers} picked={chosen} onPick={setPicked} />
        <ActionBar>
          <Button
            type="submit"
            kind="primary"
            size="large"
            className="w-full sm:w-60"
            pending={proceed.isBusy && 'One moment…'}
          >
            Continue
          </Button>
        </ActionBar>
      </form>
    </Page>
  )
}

/** Also shown after Back, if a payment is already in progress. */
function NothingToPay({ order }: { order: Order }) {
  return (
    <Page width="narrow">
      <div className="grid justify-items-start gap-4">
        <PageHeading>There is nothing to pay now</PageHeading>
        <p className="text-lg">{sentenceOf(order)}</p>
        <ButtonLink to={`/order/${order.id}`} kind="primary">
          View Order Status
        </ButtonLink>
      </div>
    </Page>
  )
}
