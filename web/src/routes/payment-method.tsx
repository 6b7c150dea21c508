import { useRef, useState } from 'react'
import type { Order, PaymentMethod } from '#contract/order.ts'
import { sayRefusalOr } from '../api/client.ts'
import { choosePaymentMethod } from '../api/orders.ts'
import { useSettings } from '../api/settings.ts'
import { ActionBar, BackLink, Page, PageHeading } from '../components/layout/page.tsx'
import { StepLine, stepTitles, useEnter } from '../components/layout/steps.tsx'
import { Button, ButtonLink } from '../components/ui/button.tsx'
import { FieldError } from '../components/ui/field.tsx'
import { Notice } from '../components/ui/notice.tsx'
import { toast, useAction } from '../components/ui/use-action.ts'
import { OrderTotal } from '../features/order/order-slip.tsx'
import { canPay, sentenceOf } from '../features/order/wording.ts'
import { type MethodOffer, offersOf } from '../features/payment/method-offers.ts'
import { methodWords } from '../method-words.ts'

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
        {order.paymentStatus === 'failed' && <Notice tone="bad">{sentenceOf(order)}</Notice>}
        {!offers.some((offer) => offer.isAvailable) && (
          <Notice tone="wait" title="No payment method is available right now">
            Your order is kept. This page looks again by itself.
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

interface MethodChoiceProps {
  offers: readonly MethodOffer[]
  picked: PaymentMethod | undefined
  onPick: (method: PaymentMethod) => void
}

function MethodChoice({ offers, picked, onPick }: MethodChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Payment method</legend>
      {offers.map(({ method, isAvailable, reason, charge }) => {
        const { icon: Icon, name, text } = methodWords[method]
        return (
          <label
            key={method}
            className={`flex min-h-20 flex-wrap items-center gap-x-4 gap-y-1 rounded-surface border bg-surface px-4 py-3 has-checked:border-ink has-checked:bg-amber-soft has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue sm:px-5 ${
              isAvailable ? 'border-edge hover:bg-sunk' : 'cursor-not-allowed border-dashed border-edge bg-transparent'
            }`}
          >
            <input
              type="radio"
              id={`method-${method}`}
              name="method"
              className="size-5 flex-none accent-ink"
              disabled={!isAvailable}
              checked={isAvailable && picked === method}
              onChange={() => onPick(method)}
            />
            <Icon className="size-6 max-sm:hidden" />
            <span className="min-w-0 flex-[1_1_8rem]">
              <span className="block text-lg font-semibold">{name}</span>
              <span className="block text-sm text-muted">{reason ?? text}</span>
            </span>
            {isAvailable && <span className="figure text-xl">{charge}</span>}
          </label>
        )
      })}
    </fieldset>
  )
}

/** Loads the payment page, whose own security policy allows the provider's scripts. Resolves when the browser leaves. */
async function goToPayment(orderId: string): Promise<void> {
  const left = new Promise((resolve) => window.addEventListener('pagehide', resolve, { once: true }))
  window.location.assign(`/order/${orderId}/payment`)
  await left
}
