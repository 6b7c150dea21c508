import type { DeliveryMode, Order } from '#contract/order.ts'
import pLimit from 'p-limit'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { approveOrder, deleteOrder, markDelivered, refreshStaff } from '../../../api/admin.ts'
import { ApiError, sayError } from '../../../api/client.ts'
import { useShop } from '../../../api/shop.ts'
import { isLoggedOut } from '../../../api/staff-session.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { Grouped } from '../../../components/ui/grouped.tsx'
import { toast } from '../../../components/ui/toast.ts'
import { useAction } from '../../../components/ui/use-action.ts'
import { count, millions } from '../../../lib/format.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { SettleDialog } from './settle-dialog.tsx'
import { approvalSentence, isDisputed, lackSentence } from './staff-words.ts'

const CALLS_AT_ONCE_MAX = 4

type ForEach = 'approve' | 'deliver' | 'delete'

/** An action that waits for confirmation. */
export type PendingAction =
  | { readonly to: 'refund'; readonly order: Order }
  | { readonly to: 'settle'; readonly order: Order }
  | { readonly to: ForEach; readonly orders: readonly Order[] }

interface Action {
  readonly name: string
  readonly kind: 'primary' | 'danger'
  /** `which`, here and below, is `this order`, `3 orders` or `order ABCD2345`. */
  readonly question: (which: string) => string
  readonly explanation: (orders: readonly Order[], deliveryMode: DeliveryMode) => string
  readonly doing: string
  readonly did: string
  readonly call: (order: Order) => Promise<void>
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
    call: async ({ id }) => markDelivered(id),
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
    call: async ({ id }) => deleteOrder(id),
    onDone: ({ length }) => toast('Orders Deleted', `Successfully deleted ${count(length)} order(s)`),
    failure: 'Delete Failed',
    failed: (which) => `Failed to delete ${which}`,
  },
}

interface NextActionProps {
  order: Order
  onAction: (pending: PendingAction) => void
  kind?: 'primary' | 'plain'
  className?: string
  /** For screen readers, which order the button is about. */
  name?: ReactNode
}

/** The button of the order's next step; renders nothing if staff may take none. */
export function NextAction({ order, onAction, name, kind = 'plain', className }: NextActionProps) {
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
      {name}
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
  if (pending.to === 'settle') return <SettleDialog order={pending.order} onClose={onClose} />
  if (pending.to === 'refund') return <RefundDialog order={pending.order} onClose={onClose} />
  return <EachDialog {...pending} onDone={onDone} onClose={onClose} />
}

interface EachDialogProps extends Omit<ActionDialogProps, 'pending'> {
  to: ForEach
  orders: readonly Order[]
}

/** Confirms once, then acts on each order. Orders that failed stay listed with the reason. */
function EachDialog({ to, orders, onDone, onClose }: EachDialogProps) {
  const action = actions[to]
  const deliveryMode = useShop()?.deliveryMode ?? 'staff'
  const [failures, setFailures] = useState<ReadonlyMap<Order, unknown>>(new Map())
  const [called, setCalled] = useState(0)
  const left = failures.size === 0 ? orders : [...failures.keys()]
  const { run, isBusy } = useAction(async (tried: readonly Order[], call: Action['call'] = action.call) => {
    setCalled(0)
    const failed = new Map<Order, unknown>()
    const atOnce = pLimit(CALLS_AT_ONCE_MAX)
    const attempt = async (order: Order) => {
      await call(order).catch((error: unknown) => failed.set(order, error))
      setCalled((before) => before + 1)
    }
    await Promise.all(tried.map(async (order) => atOnce(attempt, order)))
    refreshStaff()
    if (isLoggedOut()) return
    const done = tried.filter((order) => !failed.has(order))
    if (done.length > 0) onDone?.(done)
    if (failed.size === 0) action.onDone?.(done)
    else toast(action.failure, failureText(action, failed, tried.length), { destructive: true })
    const still = new Map([...[...failures].filter(([order]) => !tried.includes(order)), ...failed])
    setFailures(still)
    if (still.size === 0) onClose()
  })
  const progress = left.length === 1 ? '' : ` ${count(called)} of ${count(left.length)}`
  return (
    <ConfirmDialog
      title={action.question(left.length === 1 ? 'this order' : `${count(left.length)} orders`)}
      action={action.name}
      kind={left.some(isDisputed) && to === 'approve' ? 'plain' : action.kind}
      pending={isBusy && `${action.doing}${progress}...`}
      onConfirm={() => run(left)}
      onClose={onClose}
    >
      <p role="status" className="empty:hidden">
        {failures.size > 0 && `${count(orders.length - left.length)} ${action.did}, ${count(left.length)} not:`}
      </p>
      <ul
        aria-label="Orders"
        className="max-h-[40vh] divide-y divide-line overflow-y-auto rounded-surface border border-line bg-surface"
        // Makes the scrollable list reachable by keyboard.
        tabIndex={0}
      >
        {left.map((order) => (
          <li key={order.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-2 px-3 py-2">
            <Grouped text={order.orderNumber} className="font-semibold" />
            <span className="min-w-0 flex-1 wrap-anywhere">{order.discordUsername}</span>
            <span className="tabular">{millions(order.pokecoinAmount)}</span>
            {failures.has(order) && <p className="w-full text-red">{reasonOf(failures.get(order))}</p>}
            {isAboutCoins(failures.get(order)) &&
              [true, false].map((given) => (
                <Button
                  key={String(given)}
                  size="small"
                  disabled={isBusy}
                  onClick={() => run([order], async ({ id }) => deleteOrder(id, given))}
                >
                  {given ? 'Given: delete' : 'Not given: delete, back to stock'}
                  <span className="sr-only">{`, order ${order.orderNumber}`}</span>
                </Button>
              ))}
          </li>
        ))}
      </ul>
      {to === 'approve' &&
        left.map((order) => (
          <p key={order.id} className="font-medium text-red empty:hidden">
            {lackSentence(order)}
          </p>
        ))}
      <p>{action.explanation(left, deliveryMode)}</p>
    </ConfirmDialog>
  )
}

function isAboutCoins(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'order/coins-given-unknown'
}

function reasonOf(error: unknown): string {
  return isAboutCoins(error) ? 'Its coins may have been given. Were they?' : sayError(error)
}

function failureText(action: Action, failed: ReadonlyMap<Order, unknown>, tried: number): string {
  const [[order, error] = []] = failed
  if (tried > 1) return `${action.failed('selected orders')}: ${count(failed.size)} of ${count(tried)}`
  return error instanceof ApiError ? reasonOf(error) : action.failed(`order ${order?.orderNumber}`)
}
