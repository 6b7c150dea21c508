import type { Order } from '#contract/order.ts'
import type { ReactNode } from 'react'
import { approveOrder, deleteOrder, markDelivered } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { useShop } from '../../api/shop.ts'
import { Button } from '../../components/ui/button.tsx'
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx'
import { toast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/ui/use-action.ts'
import { count } from '../../lib/format.ts'
import { EachDialog, type Failed, type OrderChosen, OrderSummaryList } from './each-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { approvalSentence, lackSentence } from './words.ts'

/** The action whose confirmation is open. */
export type Asked =
  | { readonly to: 'approve' | 'refund'; readonly order: Order }
  | { readonly to: 'deliver'; readonly orders: readonly OrderChosen[] }
  /** `note`: what is selected, where that is not one order. */
  | { readonly to: 'delete'; readonly orders: readonly OrderChosen[]; readonly note?: string }

interface NextActionProps {
  order: Order
  onAsk: (asked: Asked) => void
  kind?: 'primary' | 'plain'
  className?: string
  /** Which order, where several stand side by side. */
  name?: ReactNode
}

/** What brings this order on, where staff may do it. */
export function NextAction({ order, onAsk, name, ...look }: NextActionProps) {
  if (!order.may.deliver && !order.may.approve) return null
  const asked: Asked = order.may.deliver ? { to: 'deliver', orders: [order] } : { to: 'approve', order }
  return (
    <Button size="small" {...look} onClick={() => onAsk(asked)}>
      {order.may.deliver ? 'Mark delivered' : 'Approve'}
      {name}
    </Button>
  )
}

interface AskedDialogProps {
  asked: Asked | undefined
  /** Those of the orders for which it succeeded, also when it failed for others. */
  onDone?: ((orders: readonly OrderChosen[]) => void) | undefined
  onClose: () => void
}

export function AskedDialog({ asked, onDone = () => undefined, onClose }: AskedDialogProps) {
  switch (asked?.to) {
    case undefined:
      return null
    case 'approve':
      return <ApproveDialog order={asked.order} onClose={onClose} />
    case 'refund':
      return <RefundDialog order={asked.order} onClose={onClose} />
    case 'deliver':
      return <DeliverDialog orders={asked.orders} onDone={onDone} onClose={onClose} />
    case 'delete':
      return <DeleteDialog orders={asked.orders} note={asked.note} onDone={onDone} onClose={onClose} />
  }
}

/** Stays open when it fails, since it is about one order. */
function ApproveDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const lacks = lackSentence(order)
  const deliveryMode = useShop()?.deliveryMode ?? 'staff'
  const approve = useAction(
    async () => {
      const { message } = await approveOrder(order.id)
      toast('Order Approved', message)
      onClose()
    },
    (error) => {
      const text = error instanceof ApiError ? sayError(error) : `Failed to approve order ${order.orderNumber}`
      toast('Approval Failed', text, { destructive: true })
    },
  )
  return (
    <ConfirmDialog
      title="Approve this order?"
      action="Approve"
      kind="primary"
      pending={approve.isBusy && 'Approving...'}
      onConfirm={approve.run}
      onClose={onClose}
    >
      <OrderSummaryList orders={[order]} />
      {lacks !== undefined && <p className="font-medium text-red">{lacks}</p>}
      <p>{approvalSentence(order, deliveryMode)}</p>
    </ConfirmDialog>
  )
}

interface ForEach {
  orders: readonly OrderChosen[]
  onDone: (orders: readonly OrderChosen[]) => void
  onClose: () => void
}

function DeliverDialog({ orders, onDone, onClose }: ForEach) {
  const isOne = orders.length === 1
  return (
    <EachDialog
      orders={orders}
      title={isOne ? 'Mark this order delivered?' : `Mark ${count(orders.length)} orders delivered?`}
      action="Mark delivered"
      kind="primary"
      doing="Marking"
      did="marked as delivered"
      call={async ({ id }) => markDelivered(id)}
      onEnd={(done, failed) => {
        if (done.length > 0) onDone(done)
        const what = isOne ? `Order ${orders[0]?.orderNumber} was` : `${count(orders.length)} orders were`
        const [first] = failed
        if (first === undefined) toast('Marked delivered', `${what} marked as delivered.`)
        else toast('Not marked', unmarkedText(first, done.length + failed.length, failed.length), { destructive: true })
      }}
      reportTitle={isOne ? 'The order was not marked' : 'Not every order was marked'}
      onClose={onClose}
    >
      <OrderSummaryList orders={orders} />
      <p>{isOne ? 'Its buyer is' : 'Their buyers are'} told that the coins were delivered. There is no way back.</p>
    </EachDialog>
  )
}

function unmarkedText({ of, error }: Failed, tried: number, failed: number): string {
  if (tried > 1) return `${count(failed)} of ${count(tried)} orders were not marked as delivered.`
  return `Order ${of.orderNumber} was not marked as delivered. ${sayError(error)}`
}

function DeleteDialog({ orders, note, onDone, onClose }: ForEach & { note: string | undefined }) {
  return (
    <EachDialog
      orders={orders}
      title={orders.length === 1 ? 'Delete this order?' : `Delete ${count(orders.length)} orders?`}
      action="Delete"
      kind="danger"
      doing="Deleting"
      did="deleted"
      call={async ({ id }) => deleteOrder(id)}
      onEnd={(deleted, failed) => {
        if (deleted.length > 0) onDone(deleted)
        const [first] = failed
        if (first === undefined) toast('Orders Deleted', `Successfully deleted ${count(deleted.length)} order(s)`)
        else
          toast('Delete Failed', undeletedText(first, deleted.length + failed.length, failed.length), {
            destructive: true,
          })
      }}
      reportTitle="Not every order was deleted"
      failure="Failed to delete order"
      choicesFor={(failed) =>
        isAboutCoins(failed) ? { text: coinsQuestion, choices: coinChoices(failed.of) } : undefined
      }
      onClose={onClose}
    >
      <p>
        Are you sure you want to delete {count(orders.length)} selected order(s)? This will also update revenue
        analytics.
      </p>
      <OrderSummaryList orders={orders} />
      {note !== undefined && orders.length > 1 && <p className="tabular text-muted">{note}</p>}
    </EachDialog>
  )
}

const coinsQuestion = 'Its coins may have been given. Were they?'

function isAboutCoins({ error }: Failed): boolean {
  return error instanceof ApiError && error.code === 'order/coins-given-unknown'
}

function coinChoices({ orderNumber }: OrderChosen) {
  const choice = (text: string, hidden: string, coinsGiven: boolean) => ({
    name: (
      <>
        {text}
        <span className="sr-only">{`${hidden} ${orderNumber}`}</span>
      </>
    ),
    call: async ({ id }: OrderChosen) => deleteOrder(id, coinsGiven),
  })
  return [choice('Given: delete', ' order', true), choice('Not given: delete, back to stock', ', order', false)]
}

function undeletedText(first: Failed, tried: number, failed: number): string {
  if (tried > 1) return `Failed to delete selected orders: ${failed} of ${tried}`
  return `Failed to delete order ${first.of.orderNumber}. ${isAboutCoins(first) ? coinsQuestion : sayError(first.error)}`
}
