import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import useSWR from 'swr'
import useSWRMutation from 'swr/mutation'
import type { Order } from '#contract/order.ts'
import type { CryptoPayment } from '#contract/payment.ts'
import { orderKey, refreshOrder } from '../../api/orders.ts'
import { claims } from '../../claims.ts'
import { createCryptoPayment, cryptoStatusKey } from '../../api/payments.ts'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { InFours } from '../../components/ui/in-fours.tsx'
import { Loaded } from '../../components/ui/loaded.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { Sentence } from '../../components/ui/sentence.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { toast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/ui/use-action.ts'
import { remainderOf, shareOf } from '../../lib/decimals.ts'
import { centsOf, usd } from '../../lib/format.ts'
import { Deadline } from '../../components/ui/deadline.tsx'
import { cryptoMessages, isCryptoFailed, isCryptoPaid, isCryptoSeen, opensConfirm } from './crypto-words.ts'
import type { PanelProps } from './panel.ts'
import { QrCode } from './qr-code.tsx'

const STATUS_EVERY_MS = 5_000
const STATUS_FOR_MS = 30 * 60 * 1000
const CONFIRM_AFTER_MS = 1_000

export function CryptoPanel({ order, amount }: PanelProps) {
  const { data: payment, error, isMutating, trigger: create } = useCryptoPayment(order.id, amount)
  const status = useCryptoStatus(payment, order.paymentStatus)
  const now = error === undefined ? (status.data ?? payment) : undefined
  const word = now?.payment_status ?? 'init'
  useOutcome(order.id, word)

  if (now === undefined)
    return (
      <Loaded
        answer={{ error, isMutating, mutate: create }}
        loading="Loading the payment address…"
        skeleton={<Skeleton className="h-96 w-full" />}
        failure="No crypto payment could be made"
      />
    )
  if (isCryptoFailed(word)) {
    return (
      <Notice tone="bad" title={cryptoMessages[word] ?? word} role="alert">
        <p>
          The payment was not successful. Please try again. If you have sent money, it is not lost: contact support.
        </p>
        <p>
          <Button kind="primary" onClick={() => void create()} pending={isMutating && 'One moment…'}>
            Get a fresh address
          </Button>
        </p>
      </Notice>
    )
  }
  if (isCryptoSeen(word)) return <Seen word={word} order={order} />
  return <PayTo payment={now} word={word} order={order} onCheck={status.mutate} />
}

/** In place of address and amount, so that nobody pays twice. */
function Seen({ word, order }: { word: string; order: Order }) {
  const usually = claims.cryptoConfirmation === '' ? '' : `, usually in ${claims.cryptoConfirmation}`
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status" className="text-lg font-medium">
        {cryptoMessages[word] ?? word}
      </p>
      <p className="max-w-reading">
        {word === 'confirming' && <Sentence text={`The network confirms your payment${usually}. `} />}
        Please send nothing more. This page goes on by itself; you may also close it and come back by the link to your
        order.
      </p>
      <CopyButton
        text={new URL(`/order/${order.id}`, window.location.href).href}
        what="link to this order"
        label="Copy Link"
      />
    </div>
  )
}

interface PayToProps {
  payment: CryptoPayment
  word: string
  order: Order
  onCheck: () => Promise<CryptoPayment | undefined>
}

function PayTo({ payment, word, order, onCheck }: PayToProps) {
  const navigate = useNavigate()
  const isShort = word === 'partially_paid'
  const amount = isShort ? stillToSend(payment, order) : payment.pay_amount
  const currency = payment.pay_currency.toUpperCase()
  const coin = currency === 'LTC' ? 'Litecoin' : currency
  const link = `litecoin:${payment.pay_address}?amount=${amount}`
  const check = useAction(async () => {
    const fresh = await onCheck().catch(() => undefined)
    await refreshOrder(order.id).catch(() => undefined)
    if (fresh !== undefined && opensConfirm(fresh.payment_status)) await navigate(`/order/${order.id}/confirm`)
  })
  return (
    <div className="grid gap-6">
      <p role="status" className="text-lg font-medium">
        {cryptoMessages[word] ?? word}
      </p>
      <div className="grid justify-items-center gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:justify-items-stretch">
        <QrCode
          text={currency === 'LTC' ? link : payment.pay_address}
          label={`QR code: pay ${amount} ${currency} to the address beside it`}
        />
        <dl className="grid w-full content-start gap-4">
          <div className="grid gap-1">
            <dt className="text-sm text-muted">{isShort ? 'Still to send' : 'Send exactly'}</dt>
            <dd className="grid justify-items-start gap-2">
              <span className="figure text-2xl wrap-anywhere">
                {amount} {currency}
              </span>
              <CopyButton text={amount} what={`${coin} amount`} />
            </dd>
          </div>
          <div className="grid gap-1">
            <dt className="text-sm text-muted">To this {coin} address</dt>
            <dd className="grid justify-items-start gap-2">
              <InFours text={payment.pay_address} />
              <span className="flex flex-wrap gap-2">
                <CopyButton text={payment.pay_address} what={`${coin} address`} />
                {currency === 'LTC' && (
                  <a className="link inline-flex min-h-11 items-center px-2" href={link}>
                    Open in a wallet
                  </a>
                )}
              </span>
            </dd>
          </div>
        </dl>
      </div>
      {isShort && (
        <Notice tone="wait">
          <p className="tabular">
            {usd(order.paidCents)} of {usd(centsOf(order.totalAmount))} arrived. Please send the rest to the same
            address.
          </p>
        </Notice>
      )}
      <Deadline until={earlier(payment.expires_at, order.expiresAt)} what="This amount holds until" />
      <div>
        <Button onClick={check.run} pending={check.isBusy && 'Checking…'}>
          <RefreshCw aria-hidden="true" />I have paid: check now
        </Button>
      </div>
    </div>
  )
}

/** The quoted amount may be valid for longer than the order. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(one) < Date.parse(other) ? one : other
}

/** Where the provider does not report the amount received, the unpaid share of the order. */
function stillToSend(payment: CryptoPayment, order: Order): string {
  if (payment.actually_paid !== null) return remainderOf(payment.pay_amount, payment.actually_paid)
  const whole = centsOf(order.totalAmount)
  return shareOf(payment.pay_amount, { part: Math.max(0, whole - order.paidCents), whole })
}

/** Creating is idempotent: it answers the open payment, so the panel always asks. */
function useCryptoPayment(orderId: string, amount: string) {
  const creation = useSWRMutation<CryptoPayment, unknown>(
    orderKey(orderId),
    async () => createCryptoPayment({ amount, currency: 'usd', orderId, payCurrency: 'ltc' }),
    {
      throwOnError: false,
      onError: () =>
        toast('Payment Error', 'Failed to create crypto payment. Please try again.', { destructive: true }),
    },
  )
  const { trigger } = creation
  useEffect(() => void trigger(), [trigger, amount])
  return creation
}

function useCryptoStatus(payment: CryptoPayment | undefined, orderSays: string) {
  const [since] = useState(() => Date.now())
  const status = useSWR<CryptoPayment>(payment === undefined ? null : cryptoStatusKey(payment.payment_id), {
    refreshInterval: (latest) => {
      const word = latest?.payment_status ?? 'waiting'
      const isOver = isCryptoPaid(word) || isCryptoFailed(word) || Date.now() - since > STATUS_FOR_MS
      return isOver ? 0 : STATUS_EVERY_MS
    },
  })
  const { mutate } = status
  // The order learns of money by push; without this the status would lag until its next poll.
  useEffect(() => void mutate().catch(() => undefined), [orderSays, mutate])
  return status
}

function useOutcome(orderId: string, word: string): void {
  const navigate = useNavigate()
  const isPaid = isCryptoPaid(word)
  const isFailed = isCryptoFailed(word)
  useEffect(() => {
    if (!isPaid) return undefined
    void refreshOrder(orderId).catch(() => undefined)
    const timer = setTimeout(() => void navigate(`/order/${orderId}/confirm`, { replace: true }), CONFIRM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isPaid, orderId, navigate])
  useEffect(() => {
    if (isFailed) toast('Payment Failed', 'The payment was not successful. Please try again.', { destructive: true })
  }, [isFailed])
}
