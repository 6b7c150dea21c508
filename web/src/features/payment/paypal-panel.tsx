import { useState } from 'react'
import useSWR from 'swr'
import type { PaypalCaptured } from '#contract/payment.ts'
import { ApiError, Unreachable } from '../../api/client.ts'
import { capturePaypalOrder, createPaypalOrder, fetchPaypalSetup, refreshOrder } from '../../api/orders.ts'
import { Button } from '../../components/ui/button.tsx'
import { LoadError } from '../../components/ui/loaded.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { useAction } from '../../components/ui/use-action.ts'
import { centsOf, usd } from '../../lib/format.ts'
import { OtherMethod, type PanelProps, PaymentProblem, problemOf } from './payment-problem.tsx'
import { paypalSdk } from './paypal-sdk.ts'

const FAILED = 'There was an error processing your payment. Please try again.'

export function PaypalPanel({ order, amount, isPayable, failed }: PanelProps) {
  const setup = useSetup()
  const { pay, outcome } = usePaypal(order.id, amount, setup)
  if (setup.error !== undefined && setup.data === undefined)
    return (
      <LoadError title="PayPal could not be loaded" error={setup.error} onRetry={setup.mutate}>
        <OtherMethod orderId={order.id} />
      </LoadError>
    )
  const isClosed = outcome === 'closed'
  if (order.paymentStatus !== 'failed' && outcome !== undefined && !isClosed) {
    return (
      <p role="status" className="text-lg font-medium">
        {outcome === 'paid'
          ? 'PayPal has your payment. This page goes on by itself.'
          : 'PayPal is still checking your payment. Please do not pay again.'}
      </p>
    )
  }
  if (!isPayable && !pay.isBusy) return null
  const problem = problemOf(pay.error, 'Payment Failed', FAILED) ?? failed
  return (
    <div className="grid gap-5">
      <p className="max-w-reading text-muted">
        {setup.data?.sandbox === true
          ? 'The sandbox approves by itself: no window opens, no money moves.'
          : `A PayPal window opens. You approve ${usd(centsOf(amount))} there and come back here.`}
      </p>
      {isClosed ? (
        <Notice role="status">
          <p>You closed PayPal before paying. No money was taken.</p>
          <p>
            <OtherMethod orderId={order.id} />
          </p>
        </Notice>
      ) : (
        problem !== undefined && !pay.isBusy && <PaymentProblem orderId={order.id} {...problem} />
      )}
      {setup.data?.sdk === undefined ? (
        <Button
          kind="primary"
          size="large"
          className="justify-self-start max-sm:w-full"
          disabled={setup.data === undefined}
          pending={pay.isBusy && 'Paying…'}
          onClick={pay.run}
        >
          Pay {usd(centsOf(amount))} with PayPal
        </Button>
      ) : (
        <div className="grid gap-2">
          <paypal-button
            type="pay"
            aria-busy={pay.isBusy ? 'true' : undefined}
            class="rounded-lg transition-opacity duration-150 focus-within:outline-3 focus-within:outline-offset-4 focus-within:outline-blue aria-busy:pointer-events-none aria-busy:opacity-50 sm:max-w-xs"
            onClick={pay.run}
          />
          <p role="status" className="text-muted">
            {pay.isBusy && 'Waiting for PayPal…'}
          </p>
        </div>
      )}
    </div>
  )
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Defined by PayPal's script. */
      'paypal-button': DOMAttributes<HTMLElement> & AriaAttributes & { type: 'pay'; class?: string }
    }
  }
}

/** The server gives client tokens with at least ten minutes left. */
const SETUP_EVERY_MS = 300_000

interface Setup {
  readonly sandbox: boolean
  readonly sdk: Awaited<ReturnType<typeof paypalSdk>> | undefined
}

function useSetup() {
  return useSWR<Setup, unknown>(
    'paypal-panel',
    async () => {
      const { sandbox, clientToken, scriptUrl } = await fetchPaypalSetup()
      return { sandbox, sdk: scriptUrl === undefined ? undefined : await paypalSdk(scriptUrl, clientToken) }
    },
    { revalidateOnMount: true, refreshInterval: SETUP_EVERY_MS, refreshWhenHidden: true },
  )
}

function usePaypal(orderId: string, amount: string, { data: setup, mutate }: ReturnType<typeof useSetup>) {
  const [ended, setEnded] = useState<{ outcome: 'paid' | 'checking' | 'closed'; amount: string }>()
  // The token may have expired, and the next click must not wait for a new one.
  const renew = () => void mutate().catch(() => undefined)
  const pay = useAction(
    async () => {
      if (setup === undefined) return
      setEnded(undefined)
      const created = createPaypalOrder({ amount, currency: 'usd', intent: 'CAPTURE', orderId })
      const paypalId = setup.sdk === undefined ? (await created).id : await approval(setup.sdk, created)
      const status = paypalId === undefined ? 'CLOSED' : await captured(paypalId, orderId)
      // Of a declined payment, the order says why.
      if (status === 'DECLINED') return void (await refreshOrder(orderId))
      setEnded({ outcome: outcomes[status], amount })
      if (status === 'CLOSED') renew()
      void refreshOrder(orderId)
    },
    () => {
      renew()
      void refreshOrder(orderId)
    },
  )
  // A changed amount means that this payment arrived but was too small.
  return { pay, outcome: ended?.amount === amount ? ended.outcome : undefined }
}

const outcomes = { COMPLETED: 'paid', PENDING: 'checking', CLOSED: 'closed' } as const

/** A capture without a response may still have taken the money; the shop's polling finds it. */
async function captured(paypalId: string, orderId: string): Promise<PaypalCaptured['status']> {
  try {
    return (await capturePaypalOrder(paypalId, orderId)).status
  } catch (error) {
    const isUnknown = error instanceof Unreachable || (error instanceof ApiError && error.status >= 500)
    if (isUnknown) return 'PENDING'
    throw error
  }
}

/** Opens PayPal's window; undefined if the payer closes it. After an await, browsers block it as not clicked for. */
async function approval(sdk: NonNullable<Setup['sdk']>, created: Promise<{ id: string }>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // Rejects before PayPal's error, because the shop's refusal explains more.
    created.catch(reject)
    const session = sdk.createPayPalOneTimePaymentSession({
      onApprove: ({ orderId: paypalId }) => resolve(paypalId),
      onCancel: () => resolve(undefined),
      onError: reject,
    })
    session
      .start(
        { presentationMode: 'auto' },
        created.then(({ id }) => ({ orderId: id })),
      )
      .catch(reject)
  })
}
