import type { Order } from '#contract/order.ts'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DeliverDialog } from './deliver-dialog.tsx'
import type { OrderChosen } from './each-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'

/** What is to be done with orders once it is confirmed. */
export type Asked =
  | { readonly to: 'approve'; readonly order: Order }
  | { readonly to: 'refund'; readonly order: Order }
  | { readonly to: 'deliver'; readonly orders: readonly Order[] }
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
  if (order.may.deliver)
    return (
      <Button size="small" {...look} onClick={() => onAsk({ to: 'deliver', orders: [order] })}>
        Mark delivered{name}
      </Button>
    )
  if (!order.may.approve) return null
  return (
    <Button size="small" {...look} onClick={() => onAsk({ to: 'approve', order })}>
      Approve{name}
    </Button>
  )
}

interface AskedDialogProps {
  asked: Asked | undefined
  onDeleted?: (orders: readonly OrderChosen[]) => void
  onClose: () => void
}

export function AskedDialog({ asked, onDeleted = () => undefined, onClose }: AskedDialogProps) {
  switch (asked?.to) {
    case undefined:
      return null
    case 'approve':
      return <ApproveDialog order={asked.order} onClose={onClose} />
    case 'refund':
      return <RefundDialog order={asked.order} onClose={onClose} />
    case 'deliver':
      return <DeliverDialog orders={asked.orders} onClose={onClose} />
    case 'delete':
      return <DeleteDialog orders={asked.orders} note={asked.note} onDeleted={onDeleted} onClose={onClose} />
  }
}
