import RefreshCw from 'lucide:refresh-cw'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Order } from '#contract/order.ts'
import type { CryptoPayment, CryptoPaymentCreate } from '#contract/payment.ts'
import { createCryptoPayment, cryptoStatusKey, refreshOrder } from '../../api/orders.ts'
import { claims } from '../../claims.ts'
import { usePolled } from '../../api/swr.tsx'
import { Button } from '../../components/ui/button.tsx'
import { CopyOrderLink } from '../../components/ui/copy-button.tsx'
import { Deadline, useHasPassed } from '../../components/ui/deadline.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { Skeleton } from '../../components/ui/loaded.tsx'
import { toast, useAction } from '../../components/ui/use-action.ts'
import { time } from '../../lib/format.ts'
import { failureWords } from '../../method-words.ts'
import { CoinChoice } from './coin-choice.tsx'
import { cryptoMessages, isCryptoFailed, isCryptoPaid, isCryptoSeen, opensConfirm } from './crypto-words.ts'
import { type PanelProps, PaymentProblem, problemOf } from './payment-problem.tsx'
import { PayTo } from './pay-to.tsx'
import { useConfirmWhen } from './use-confirm.ts'

const FAILED = 'Failed to create crypto payment. Please try again.'
const STATUS_EVERY_MS = 5_000
const STATUS_FOR_MS = 30 * 60 * 1000

export function CryptoPanel({ order, amount, holds, failed }: PanelProps) {
  // Opening a new address at once would hide that the last payment failed.
  const opening = useCryptoPayment(order.id, amount, { isAutomatic: failed === undefined })
  const { opened, setOpened, error, isBusy, open } = opening
  const status = useCryptoStatus(opened, `${order.paymentStatus} ${order.paidCents}`)
  const payment = error === undefined ? (status.data ?? opened) : undefined
  const word = wordOf(payment, order)
  const isOver = isCryptoPaid(word) || isCryptoFailed(word)
  useConfirmWhen(isCryptoPaid(word), order.id)
  useEffect(() => {
    if (isOver) void refreshOrder(order.id)
  }, [isOver, order.id])

  const current = payment === undefined ? failed : isCryptoFailed(word) ? failureWords('crypto', word) : undefined
  const problem = problemOf(error, 'Payment Error', FAILED) ?? current
  if (problem !== undefined)
    return (
      <PaymentProblem orderId={order.id} {...problem}>
        <Button
          kind="primary"
          onClick={() => open(payment === undefined ? {} : { payCurrency: payment.pay_currency })}
          pending={isBusy && 'One moment…'}
        >
          {error === undefined ? 'Get a fresh address' : 'Try again'}
        </Button>
      </PaymentProblem>
    )
  if (payment === undefined) return <Skeleton className="h-dvh w-full" />
  if (isCryptoSeen(word)) return <Seen word={word} payment={payment} order={order} />
  return (
    <Payable
      payment={payment}
      word={word}
      order={order}
      holds={holds}
      hasStopped={status.hasStopped}
      onCheck={status.mutate}
      onRequote={async (payCurrency) => {
        const replaces = payment.payment_id
        setOpened(await createCryptoPayment({ amount, orderId: order.id, replaces, payCurrency }))
      }}
    />
  )
}

/** The order's state takes precedence, since money may have come to an earlier address. */
function wordOf(payment: CryptoPayment | undefined, { paymentStatus }: Order): string {
  const word = payment?.payment_status ?? 'init'
  if (word !== 'waiting') return word
  if (paymentStatus === 'processing') return 'confirming'
  return paymentStatus === 'partially_paid' ? 'partially_paid' : word
}

/** Shown instead of address and amount once money is seen, so that the buyer does not pay twice. */
function Seen({ word, payment, order }: { word: string; payment: CryptoPayment; order: Order }) {
  // This payment is still waiting if money came to an earlier address, perhaps of another coin.
  const isLitecoinSeen = payment.pay_currency === 'ltc' && payment.payment_status === 'confirming'
  const usually = isLitecoinSeen ? `, usually in ${claims.cryptoConfirmation}` : ''
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status" className="text-lg font-medium">
        {cryptoMessages[word] ?? word}
      </p>
      <p className="max-w-reading">
        {word === 'confirming' && `The network confirms your payment${usually}. `}
        Please send nothing more. This page goes on by itself; you may also close it and come back by the link to your
        order.
      </p>
      <CopyOrderLink orderId={order.id} />
    </div>
  )
}

interface PayableProps {
  payment: CryptoPayment
  word: string
  order: Order
  holds: string
  hasStopped: boolean
  onCheck: () => Promise<CryptoPayment | undefined>
  /** Replaces this payment by another. */
  onRequote: (payCurrency: string) => Promise<void>
}

function Payable({ payment, word, order, holds, hasStopped, onCheck, onRequote }: PayableProps) {
  const { quote_expires_at: quotedUntil, pay_currency: coin } = payment
  const hasRunOut = useHasPassed(quotedUntil)
  const check = useCheck(order, onCheck)
  // If it fails, the buyer can still make this payment.
  const requote = useAction(async (payCurrency: string) => {
    await onRequote(payCurrency)
    await refreshOrder(order.id)
  })
  // After a failure the buyer may try again, even if `may.requote` is false meanwhile.
  const canRequote = order.may.requote || requote.isBusy || requote.problem !== undefined
  const isOver = hasRunOut && canRequote
  const state = <State {...{ word, holds, order, quotedUntil: isOver ? null : quotedUntil }} />
  return (
    <div className="grid gap-6">
      {isOver ? (
        <Notice tone="wait" title="This quote has run out" role="status">
          {`The amount was quoted until ${time(quotedUntil ?? '')}. If you have sent it already, there is nothing to do: it counts as it was shown.`}
        </Notice>
      ) : (
        <PayTo payment={payment} order={order}>
          {state}
        </PayTo>
      )}
      {isOver && state}
      {order.payment !== null && order.payment.attempt > 1 && (
        <p className="max-w-reading text-sm text-muted">
          Money that you have sent to an address shown here before counts as well. Please send nothing twice.
        </p>
      )}
      {hasStopped && (
        <Notice>
          <p>
            Nothing has arrived for 30 minutes. To look again, press “I have paid: check now”. You may also close this
            page and come back by the link to your order.
          </p>
          <p>
            <CopyOrderLink orderId={order.id} />
          </p>
        </Notice>
      )}
      {requote.problem !== undefined && (
        <Notice tone="bad" title="No other payment could be opened" role="alert">
          {requote.problem}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        {canRequote && (
          <Button
            kind={isOver ? 'primary' : 'plain'}
            className={isOver ? '' : 'order-last'}
            onClick={() => requote.run(coin)}
            pending={requote.isBusy && 'One moment…'}
          >
            Get a fresh quote
          </Button>
        )}
        <Button onClick={check.run} pending={check.isBusy && 'Checking…'}>
          <RefreshCw />I have paid: check now
        </Button>
      </div>
      {canRequote && <CoinChoice current={coin} isBusy={requote.isBusy} onChoose={requote.run} />}
    </div>
  )
}

type StateProps = Pick<PayableProps, 'word' | 'holds' | 'order'> & { quotedUntil: string | null }

/** The payment's state and the time left. `quotedUntil` is null if the quote has run out. */
function State({ word, holds, order, quotedUntil }: StateProps) {
  const endsBeforeOrder = quotedUntil !== null && (order.expiresAt === null || quotedUntil < order.expiresAt)
  return (
    <div className="grid gap-1">
      <p role="status" className="font-medium">
        {cryptoMessages[word] ?? word}
      </p>
      {endsBeforeOrder && (
        <Deadline
          until={quotedUntil}
          what="This amount is quoted until"
          left="left of this quote"
          over="The quote has run out. The amount still counts until the order ends."
        />
      )}
      <Deadline until={order.expiresAt} what={holds} />
    </div>
  )
}

function useCheck(order: Order, onCheck: PayableProps['onCheck']) {
  const navigate = useNavigate()
  return useAction(async () => {
    const fresh = await onCheck().catch(() => undefined)
    await refreshOrder(order.id)
    const word = fresh?.payment_status ?? 'waiting'
    if (opensConfirm(word)) await navigate(`/order/${order.id}/confirm`)
    else if (!isCryptoSeen(word) && !isCryptoFailed(word)) toast(cryptoMessages[word] ?? word)
  })
}

/** Opening is idempotent and returns the open payment, so that the panel can open one by itself, if `isAutomatic`. */
function useCryptoPayment(orderId: string, amount: string, { isAutomatic }: { isAutomatic: boolean }) {
  const [opened, setOpened] = useState<CryptoPayment>()
  // Stays on the screen during a retry.
  const [error, setError] = useState<unknown>()
  const { run: open, isBusy } = useAction(
    async (choice: Pick<CryptoPaymentCreate, 'payCurrency'>) => {
      setOpened(await createCryptoPayment({ amount, currency: 'usd', orderId, ...choice }))
      setError(undefined)
    },
    (failure) => {
      setError(failure)
      void refreshOrder(orderId)
    },
  )
  useEffect(() => {
    if (isAutomatic) open({})
  }, [amount, isAutomatic])
  return { opened, setOpened, open, isBusy, error }
}

function useCryptoStatus(payment: CryptoPayment | undefined, orderState: string) {
  const id = payment?.payment_id
  const [stoppedFor, setStoppedFor] = useState<string>()
  const hasStopped = id !== undefined && stoppedFor === id
  useEffect(() => {
    const timer = setTimeout(() => setStoppedFor(id), STATUS_FOR_MS)
    return () => clearTimeout(timer)
  }, [id])
  // A new function at each render would restart the interval.
  const refreshInterval = useCallback(
    (latest?: CryptoPayment) => {
      const word = latest?.payment_status ?? 'waiting'
      return hasStopped || isCryptoPaid(word) || isCryptoFailed(word) ? 0 : STATUS_EVERY_MS
    },
    [hasStopped],
  )
  const key = id === undefined ? null : cryptoStatusKey(id)
  const status = usePolled<CryptoPayment>(key, hasStopped ? 0 : STATUS_EVERY_MS, { refreshInterval })
  const { mutate } = status
  // Changes of the order are pushed; without this the status would lag until its next poll.
  useEffect(() => void mutate().catch(() => undefined), [orderState, mutate])
  return { data: status.data, mutate, hasStopped }
}
