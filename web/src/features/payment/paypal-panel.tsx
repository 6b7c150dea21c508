import { useRef, useState } from 'react'
import useSWR from 'swr'
import { sayError } from '../../api/client.ts'
import { refreshOrder } from '../../api/orders.ts'
import { capturePaypalOrder, createPaypalOrder, paypalSetup } from '../../api/payments.ts'
import { Button } from '../../components/ui/button.tsx'
import { LoadError, Notice } from '../../components/ui/notice.tsx'
import { toast } from '../../components/ui/toast.ts'
import { centsOf, usd } from '../../lib/format.ts'
import type { PanelProps } from './panel.ts'
import { paypalSdk } from './paypal-sdk.ts'

type State = 'idle' | 'paying' | 'checking' | 'paid'

export function PaypalPanel({ order, amount, lastFailed }: PanelProps) {
  const setup = useSetup()
  const { pay, state, failure } = usePaypal(order.id, amount, setup.data)
  if (setup.error !== undefined)
    return <LoadError title="PayPal could not be loaded" error={setup.error} onRetry={() => void setup.mutate()} />
  if (order.paymentStatus !== 'failed' && (state === 'paid' || state === 'checking')) {
    return (
      <p role="status" className="text-lg font-medium">
        {state === 'paid'
          ? 'PayPal has your payment. This page goes on by itself.'
          : 'PayPal is still checking your payment. Please do not pay again.'}
      </p>
    )
  }
  const said = failure ?? lastFailed
  return (
    <div className="grid gap-5">
      <p className="max-w-reading text-muted">
        {setup.data?.sandbox === true
          ? 'The sandbox approves by itself: no window opens, no money moves.'
          : 'A PayPal window opens. You approve the payment there and come back here.'}
      </p>
      {said !== undefined && (
        <Notice tone="bad" title="There was an error processing your payment. Please try again." role="alert">
          <p>{said}</p>
        </Notice>
      )}
      <div>
        <Button
          kind="primary"
          size="large"
          className="max-sm:w-full"
          disabled={setup.data === undefined}
          pending={state === 'paying' && 'Paying…'}
          onClick={pay}
        >
          Pay {usd(centsOf(amount))} with PayPal
        </Button>
      </div>
    </div>
  )
}

interface Setup {
  readonly sandbox: boolean
  readonly sdk: Awaited<ReturnType<typeof paypalSdk>> | undefined
}

function useSetup() {
  return useSWR<Setup, unknown>('paypal-panel', async () => {
    const { sandbox, clientToken } = await paypalSetup()
    return { sandbox, sdk: sandbox ? undefined : await paypalSdk(clientToken) }
  })
}

function usePaypal(orderId: string, amount: string, setup: Setup | undefined) {
  const [{ state, paid }, setState] = useState<{ state: State; paid: string }>({ state: 'idle', paid: amount })
  const [failure, setFailure] = useState<string>()
  const isBusy = useRef(false)

  const end = (next: State, said?: string) => {
    isBusy.current = false
    setState({ state: next, paid: amount })
    setFailure(said)
    void refreshOrder(orderId).catch(() => undefined)
  }
  const fail = (error: unknown) => {
    toast('Payment Failed', 'There was an error processing your payment. Please try again.', { destructive: true })
    end('idle', sayError(error))
  }
  const capture = async (paypalId: string) => {
    const { status } = await capturePaypalOrder(paypalId, orderId)
    if (status === 'DECLINED') {
      toast('Payment Failed', 'There was an error processing your payment. Please try again.', { destructive: true })
      return end('idle', 'PayPal declined this payment. No money was taken.')
    }
    if (status === 'COMPLETED') toast('Payment Successful')
    end(status === 'COMPLETED' ? 'paid' : 'checking')
  }
  const pay = () => {
    if (isBusy.current || setup === undefined) return
    isBusy.current = true
    setState({ state: 'paying', paid: amount })
    setFailure(undefined)
    const order = createPaypalOrder({ amount, currency: 'usd', intent: 'CAPTURE', orderId })
    if (setup.sdk === undefined) {
      order.then(async ({ id }) => capture(id)).catch(fail)
      return
    }
    // Awaiting the order before start would lose the click, and the browser would block the window.
    const session = setup.sdk.createPayPalOneTimePaymentSession({
      onApprove: ({ orderId: paypalId }) => void capture(paypalId).catch(fail),
      onCancel: () => end('idle', 'You closed PayPal before paying. No money was taken.'),
      onError: fail,
    })
    session
      .start(
        { presentationMode: 'auto' },
        order.then(({ id }) => ({ orderId: id })),
      )
      .catch(fail)
  }
  // Another amount means that this payment has arrived and was too little: the rest can be paid.
  const isSettled = paid !== amount && (state === 'paid' || state === 'checking')
  return { pay, state: isSettled ? 'idle' : state, failure }
}
