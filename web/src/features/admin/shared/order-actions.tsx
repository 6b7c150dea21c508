import type { DeliveryMode, Order, SettlementReason } from '#contract/order.ts'
import pLimit from 'p-limit'
import { useRef, useState } from 'react'
import { approveOrder, deleteOrder, markDelivered, refreshStaff, settleAttention } from '../../../api/admin.ts'
import { ApiError, sayError, Unreachable } from '../../../api/client.ts'
import { useShop } from '../../../api/shop.ts'
import { isLoggedOut } from '../../../api/staff-session.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { Choice, type ChoiceProps } from '../../../components/ui/field.tsx'
import { Grouped } from '../../../components/ui/grouped.tsx'
import { toast, useAction } from '../../../components/ui/use-action.ts'
import { count, millions, usd } from '../../../lib/format.ts'
import { DeliveryNote, type Noted } from './delivery-note.tsx'
import { dueText, payBack, totalsToPayBack } from './pay-back.ts'
import { RefundDialog } from './refund-dialog.tsx'
import {
  approvalSentence,
  asksIfGiven,
  deletionSentence,
  isDisputed,
  isLeftOut,
  lackSentence,
  settlementReasonNames,
} from './staff-words.ts'

const CALLS_AT_ONCE_MAX = 4
const ROWS_MAX = 100

type ForEach = 'approve' | 'deliver' | 'delete' | 'settle' | 'payBack'

/** An action that waits for confirmation. */
export type PendingAction =
  { readonly to: 'refund'; readonly order: Order } | { readonly to: ForEach; readonly orders: readonly Order[] }

interface Action {
  readonly name: string
  readonly kind: 'primary' | 'plain' | 'danger'
  /** `which`, here and below, is `this order`, `3 orders` or `order ABCD2345`. */
  readonly question: (which: string) => string
  readonly explanation: (orders: readonly Order[], deliveryMode: DeliveryMode) => string
  /** Shown beside an order, in place of its coins. */
  readonly figure?: (order: Order) => string
  readonly doing: string
  readonly did: string
  /** What has to be known of their money. */
  readonly money?: (orders: readonly Order[], leftOut: readonly Order[]) => string | undefined
  /** Asked of a single order before it is acted on. */
  readonly choice?: (order: Order, error: unknown) => Pick<ChoiceProps, 'legend' | 'options'> | undefined
  /** `noted`: what was given to whom. */
  readonly call: (order: Order, answer?: string, noted?: Noted) => Promise<unknown>
  readonly onDone?: (orders: readonly Order[]) => void
  /** The title of the failure's toast; `failed` is its text. */
  readonly failure: string
  readonly failed: (which: string) => string
}

const actions: Record<ForEach, Action> = {
  approve: {
    name: 'Approve',
    kind: 'primary',
    question: (which) => `Approve ${which}?`,
    explanation: ([order], deliveryMode) => (order ? approvalSentence(order, deliveryMode) : ''),
    money: ([order]) => order && lackSentence(order),
    doing: 'Approving',
    did: 'approved',
    call: async ({ id }) => toast('Order Approved', (await approveOrder(id)).message),
    failure: 'Approval Failed',
    failed: (which) => `Failed to approve ${which}`,
  },
  deliver: {
    name: 'Mark delivered',
    kind: 'primary',
    question: (which) => `Mark ${which} delivered?`,
    explanation: ({ length }) =>
      `${length === 1 ? 'Its buyer is' : 'Their buyers are'} told that the coins were delivered. There is no way back.`,
    doing: 'Marking',
    did: 'marked as delivered',
    call: async ({ id }, _answer, noted) => markDelivered(id, noted),
    onDone: (orders) => {
      const which = orders.length === 1 ? `Order ${orders[0]?.orderNumber} was` : `${count(orders.length)} orders were`
      toast('Marked delivered', `${which} marked as delivered.`)
    },
    failure: 'Not marked',
    failed: (which) => `Failed to mark ${which} as delivered`,
  },
  delete: {
    name: 'Delete',
    kind: 'danger',
    question: (which) => `Delete ${which}?`,
    explanation: ({ length }) =>
      `Are you sure you want to delete ${count(length)} selected order(s)? This will also update revenue analytics.`,
    doing: 'Deleting',
    did: 'deleted',
    money: deletionSentence,
    choice: (order, error) => (asksIfGiven(order) || isAboutCoins(error) ? coinsGiven : undefined),
    call: deleteOrder,
    onDone: ({ length }) => toast('Orders Deleted', `Successfully deleted ${count(length)} order(s)`),
    failure: 'Delete Failed',
    failed: (which) => `Failed to delete ${which}`,
  },
  settle: {
    name: 'Settle',
    kind: 'plain',
    question: (which) => `Settle ${which}?`,
    explanation: () => 'The order then asks for a person only if something new happens.',
    doing: 'Settling',
    did: 'settled',
    choice: ({ paidCents, toPayBackCents }) => ({
      legend: `${paidCents > 0 ? `${usd(toPayBackCents || paidCents)} stays with the shop` : 'No money is held'}. Why?`,
      options: settlementReasonNames,
    }),
    call: async ({ id, revision }, reason) => settleAttention(id, { revision, reason: reason as SettlementReason }),
    onDone: ([order]) => toast('Success', `Order ${order?.orderNumber} was settled.`),
    failure: 'Not settled',
    failed: (which) => `Failed to settle ${which}`,
  },
  payBack: {
    name: 'Pay back',
    kind: 'primary',
    question: (which) => `Pay back ${which}?`,
    explanation: (orders) => `${totalsToPayBack(orders)}, to the payers. There is no way back.`,
    figure: (order) => dueText(order),
    doing: 'Paying back',
    did: 'paid back',
    call: payBack,
    onDone: (orders) => toast('Paid back', `${totalsToPayBack(orders)}.`),
    failure: 'Not paid back',
    failed: (which) => `Failed to pay back ${which}`,
  },
}

interface NextActionProps {
  order: Order
  onAction: (pending: PendingAction) => void
  kind?: 'primary' | 'plain'
  className?: string
  /** Says to screen readers which order the button is about. */
  isNamed?: boolean
}

/** The button of the order's next step; renders nothing if staff may take none. */
export function NextAction({ order, onAction, isNamed = false, kind = 'plain', className }: NextActionProps) {
  if (!order.may.deliver && !order.may.approve) return null
  const to = order.may.deliver ? 'deliver' : 'approve'
  return (
    <Button
      size="small"
      kind={isDisputed(order) ? 'plain' : kind}
      className={className}
      onClick={() => onAction({ to, orders: [order] })}
    >
      {actions[to].name}
      {isNamed && <span className="sr-only"> order {order.orderNumber}</span>}
    </Button>
  )
}

interface ActionDialogProps {
  pending: PendingAction | undefined
  /** Called with the orders that succeeded, even if others failed. */
  onDone?: ((orders: readonly Order[]) => void) | undefined
  onClose: () => void
}

export function ActionDialog({ pending, onDone, onClose }: ActionDialogProps) {
  if (pending === undefined) return null
  if (pending.to === 'refund') return <RefundDialog order={pending.order} onClose={onClose} />
  return <EachDialog {...pending} onDone={onDone} onClose={onClose} />
}

interface EachDialogProps extends Omit<ActionDialogProps, 'pending'> {
  to: ForEach
  orders: readonly Order[]
}

/** Confirms once, then acts on each order. What was not done stays listed with the reason. */
function EachDialog({ to, orders, onDone, onClose }: EachDialogProps) {
  const action = actions[to]
  const deliveryMode = useShop()?.deliveryMode ?? 'staff'
  const [left, setLeft] = useState(orders)
  /** Of the last run, if there was one. */
  const [failures, setFailures] = useState<ReadonlyMap<Order, unknown>>()
  const [called, setCalled] = useState(0)
  /** Null: staff confirmed without an answer. */
  const [answer, setAnswer] = useState<string | null>()
  const [noted, setNoted] = useState<Noted>({})
  const isStopped = useRef(false)
  const out = new Set(to === 'delete' && orders.length > 1 ? left.filter(isLeftOut) : [])
  const todo = left.filter((order) => !out.has(order))
  const [only] = todo.length === 1 ? todo : []
  const choice = only && action.choice?.(only, failures?.get(only))

  const { run, isBusy } = useAction(async () => {
    if (choice && !answer) return setAnswer(null)
    isStopped.current = false
    setCalled(0)
    const call = async (order: Order) => action.call(order, choice && (answer ?? undefined), only && noted)
    const { done, failed } = await actOnEach(todo, call, {
      isStopped,
      onCalled: setCalled,
      atOnce: to === 'payBack' ? 1 : CALLS_AT_ONCE_MAX,
    })
    refreshStaff()
    if (isLoggedOut()) return
    if (done.size > 0) onDone?.([...done])
    if (failed.size > 0) toast(action.failure, failureText(action, failed, todo.length), { destructive: true })
    else if (done.size > 0) action.onDone?.([...done])
    setFailures(failed)
    setLeft(left.filter((order) => !done.has(order)))
    if (done.size === left.length) onClose()
  })

  const isOver = todo.length === 0
  const which = left.length === 1 ? 'this order' : `${count(left.length)} orders`
  const doneText = `${count(orders.length - left.length)} ${action.did}`
  const named = left.filter((order) => out.has(order) || failures?.has(order))
  return (
    <ConfirmDialog
      title={isOver && failures ? doneText : action.question(which)}
      action={action.name}
      kind={to === 'approve' && left.some(isDisputed) ? 'plain' : action.kind}
      keep={isOver ? 'Close' : 'Cancel'}
      pending={isBusy && `${action.doing}${only ? '' : ` ${count(called)} of ${count(todo.length)}`}...`}
      onConfirm={isOver ? undefined : run}
      onStop={only ? undefined : () => (isStopped.current = true)}
      onClose={onClose}
    >
      <p role="status" className="empty:hidden">
        {failures && `${doneText}, ${count(left.length)} not:`}
      </p>
      <OrderRows action={action} rows={[...new Set([...named, ...left])]} out={out} failures={failures} />
      {!isOver && <p>{action.explanation(left, deliveryMode)}</p>}
      <p className={`font-medium empty:hidden ${to === 'approve' ? 'text-red' : ''}`}>
        {action.money?.(left, [...out])}
      </p>
      {only && to === 'deliver' && <DeliveryNote noted={noted} onChange={setNoted} />}
      {choice && (
        <Choice {...choice} name="answer" error={answer === null ? 'Choose one.' : undefined} onChange={setAnswer} />
      )}
    </ConfirmDialog>
  )
}

interface OrderRowsProps {
  action: Action
  rows: readonly Order[]
  out: ReadonlySet<Order>
  failures: ReadonlyMap<Order, unknown> | undefined
}

function OrderRows({ action, rows, out, failures }: OrderRowsProps) {
  return (
    <ul
      aria-label="Orders"
      className="max-h-[40vh] divide-y divide-line overflow-y-auto rounded-surface border border-line bg-surface"
      // Makes the scrollable list reachable by keyboard.
      tabIndex={0}
    >
      {rows.slice(0, ROWS_MAX).map((order) => (
        <li key={order.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-2 px-3 py-2">
          <Grouped text={order.orderNumber} className="font-semibold" />
          <span className="min-w-0 flex-1 wrap-anywhere">{order.discordUsername}</span>
          <span className="tabular-nums">{action.figure?.(order) ?? millions(order.pokecoinAmount)}</span>
          {failures?.has(order) && <p className="w-full text-red">{sayError(failures.get(order))}</p>}
          {out.has(order) && <p className="w-full">Left out: open it to decide about {usd(order.paidCents)}.</p>}
        </li>
      ))}
      {rows.length > ROWS_MAX && <li className="px-3 py-2 text-muted">and {count(rows.length - ROWS_MAX)} more</li>}
    </ul>
  )
}

/** Acts on a few at once, until it is stopped, the session has ended or the shop is unreachable. */
async function actOnEach(
  orders: readonly Order[],
  call: Action['call'],
  {
    isStopped,
    onCalled,
    atOnce,
  }: { isStopped: { current: boolean }; onCalled: (called: number) => void; atOnce: number },
) {
  const [done, failed] = [new Set<Order>(), new Map<Order, unknown>()]
  const attempt = async (order: Order) => {
    if (isStopped.current || isLoggedOut()) return
    try {
      await call(order)
      done.add(order)
    } catch (error) {
      failed.set(order, error)
      isStopped.current ||= error instanceof Unreachable
    }
    onCalled(done.size + failed.size)
  }
  const limited = pLimit(atOnce)
  await Promise.all(orders.map(async (order) => limited(attempt, order)))
  return { done, failed }
}

const coinsGiven = {
  legend: 'Were the coins given?',
  options: { true: 'Given: they stay sold', false: 'Not given: back to stock' },
}

function isAboutCoins(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'order/coins-given-unknown'
}

function failureText(action: Action, failed: ReadonlyMap<Order, unknown>, tried: number): string {
  const [[order, error] = []] = failed
  if (tried > 1) return `${action.failed('selected orders')}: ${count(failed.size)} of ${count(tried)}`
  return error instanceof ApiError ? sayError(error) : action.failed(`order ${order?.orderNumber}`)
}
