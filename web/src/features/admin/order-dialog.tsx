import type { Order } from '#contract/order.ts'
import { feeCentsOf } from '#pricing'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { settleAttention } from '../../api/admin.ts'
import { isMissing, sayError } from '../../api/client.ts'
import { useOrder } from '../../api/orders.ts'
import { useUpdates } from '../../api/updates.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice, StaleNote } from '../../components/ui/notice.tsx'
import { Pending } from '../../components/ui/pending.tsx'
import { toast } from '../../components/ui/toast.ts'
import { copyText } from '../../lib/clipboard.ts'
import { centsOf, inrOf, millions, usd } from '../../lib/format.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { Card } from './card.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DeliverDialog } from './deliver-dialog.tsx'
import { Status } from './status.tsx'
import { useCloseOrder } from './way-back.ts'
import {
  actorNames,
  attentionAdvice,
  attentionNames,
  dateTime,
  isToDeliver,
  mayBeApproved,
  mayBeSettled,
  paidWith,
  transactionsTitle,
} from './words.ts'

const QUANTITY_WHEN_MISSING_M = 5

export function OrderDialog() {
  const { orderId = '' } = useParams()
  const { data: order, error, mutate } = useOrder(orderId)
  useUpdates([], orderId)
  const close = useCloseOrder()
  if (order !== undefined)
    return (
      <Dialog
        title={`Order Details - ${order.orderNumber}`}
        description="Complete information about this order"
        onClose={close}
        width="6xl"
      >
        <StaleNote error={error} />
        <Sections order={order} onClose={close} />
      </Dialog>
    )
  if (isMissing(error))
    return (
      <Dialog title="Order Not Found" onClose={close}>
        <p className="text-sm wrap-anywhere">Order {orderId} could not be found.</p>
      </Dialog>
    )
  return (
    <Dialog title="Order Details" description="Complete information about this order" onClose={close} width="6xl">
      <div className="text-sm">
        <Pending
          loading="Loading order..."
          failure="This order could not be loaded"
          error={error}
          onRetry={() => void mutate()}
        />
      </div>
    </Dialog>
  )
}

function Sections({ order, onClose }: { order: Order; onClose: () => void }) {
  const [asked, setAsked] = useState<'delete' | 'approve' | 'deliver'>()
  const unask = () => setAsked(undefined)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 text-sm">
      <Attention order={order} />
      <div className="-mb-5 gap-5 md:columns-2">
        <Card title="Order Information" className="mb-5 break-inside-avoid">
          <OrderFacts order={order} />
        </Card>
        <Card title="Customer Information" className="mb-5 break-inside-avoid">
          <CustomerFacts order={order} />
        </Card>
        <Card title="Items" className="mb-5 break-inside-avoid">
          <Items order={order} />
        </Card>
        <Card title={transactionsTitle(order.paymentMethod)} className="mb-5 break-inside-avoid">
          <Transaction order={order} />
        </Card>
        <Card title="Timeline" className="mb-5 break-inside-avoid">
          <Timeline order={order} />
        </Card>
      </div>
      {!order.deleted && (
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-paper px-5 py-3">
          <Button size="small" kind="danger" onClick={() => setAsked('delete')}>
            Delete
          </Button>
          {isToDeliver(order) ? (
            <Button size="small" kind="primary" onClick={() => setAsked('deliver')}>
              Mark delivered
            </Button>
          ) : (
            mayBeApproved(order) && (
              <Button size="small" kind="primary" onClick={() => setAsked('approve')}>
                Approve
              </Button>
            )
          )}
        </div>
      )}
      {asked === 'delete' && <DeleteDialog orders={[order]} onDeleted={onClose} onClose={unask} />}
      {asked === 'approve' && <ApproveDialog order={order} onClose={unask} />}
      {asked === 'deliver' && <DeliverDialog orders={[order]} onClose={unask} />}
    </div>
  )
}

function Attention({ order }: { order: Order }) {
  const [isPending, setPending] = useState(false)
  // At the revision that is shown: had more come since, the shop says so.
  const settle = async () => {
    setPending(true)
    try {
      await settleAttention(order.id, order.revision)
      toast('Success', `Order ${order.orderNumber} was settled.`)
    } catch (error) {
      toast('Not settled', sayError(error), { destructive: true })
    }
    setPending(false)
  }
  if (order.attention === null) return null
  return (
    <Notice tone="wait" title="This order needs a person">
      <ul className="grid gap-1.5">
        {order.attention.reasons.map((reason) => (
          <li key={reason}>
            <strong>{attentionNames[reason]}.</strong> {attentionAdvice[reason]}
          </li>
        ))}
      </ul>
      <p className="tabular">
        Received {usd(order.paidCents)} of {usd(centsOf(order.totalAmount))}, since {dateTime(order.attention.since)}.
      </p>
      {mayBeSettled(order) && (
        <p>
          <Button size="small" kind="ink" pending={isPending && 'Settling...'} onClick={() => void settle()}>
            Settle
          </Button>
        </p>
      )}
    </Notice>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const totalCents = centsOf(order.totalAmount)
  const feeCents = order.paymentMethod === null ? 0 : feeCentsOf(order.paymentMethod)
  const completedAt = order.events?.findLast(({ type }) => type === 'OrderCompleted')?.at
  return (
    <Facts>
      <Fact name="ID">
        <span className="mr-2 font-mono wrap-anywhere">{order.id}</span>
        <CopyId id={order.id} />
      </Fact>
      <Fact name="Status">
        <Status order={order} />
      </Fact>
      <Fact name="Payment Method">{paidWith(order.paymentMethod)}</Fact>
      <Fact name="Subtotal">{usd(totalCents)}</Fact>
      {feeCents > 0 && <Fact name={`${paidWith(order.paymentMethod)} fee`}>{usd(feeCents)}</Fact>}
      <Fact name="Total Price">
        <strong>{usd(totalCents + feeCents)}</strong>
      </Fact>
      <Fact name="Created At">{dateTime(order.createdAt)}</Fact>
      {order.updatedAt !== null &&
        (order.status === 'completed' ? (
          <Fact name="Completed At">{dateTime(completedAt ?? order.updatedAt)}</Fact>
        ) : (
          <Fact name="Updated At">{dateTime(order.updatedAt)}</Fact>
        ))}
      {order.preOrder && <Fact name="Pre-order">Yes</Fact>}
    </Facts>
  )
}

function CopyId({ id }: { id: string }) {
  const copy = async () => {
    if (await copyText(id)) toast('Copied!', 'The order ID is on your clipboard.')
    else toast('Copy Failed', 'Unable to copy to clipboard', { destructive: true })
  }
  return (
    <Button size="small" kind="quiet" className="-my-1.5 -mr-3" onClick={() => void copy()}>
      <Copy aria-hidden="true" />
      Copy<span className="sr-only"> order ID</span>
    </Button>
  )
}

function CustomerFacts({ order }: { order: Order }) {
  return (
    <Facts>
      <Fact name="E-mail">{order.customerEmail}</Fact>
      <Fact name="Discord username">{order.discordUsername}</Fact>
      {order.marketIds.length <= 1 ? (
        <Fact name="Market ID">
          <span className="font-mono">{order.marketId}</span>
        </Fact>
      ) : (
        <Fact name={`Market IDs (${order.marketIds.length})`}>
          <ol className="list-inside list-decimal columns-2 gap-x-6 max-sm:columns-1">
            {order.marketIds.map(({ marketId, amount }, index) => (
              <li key={`${index}-${marketId}`} className="tabular text-muted">
                <span className="font-mono text-ink">{marketId}</span> ({millions(amount)})
              </li>
            ))}
          </ol>
        </Fact>
      )}
    </Facts>
  )
}

function Items({ order }: { order: Order }) {
  const quantityM = order.pokecoinAmount > 0 ? order.pokecoinAmount : QUANTITY_WHEN_MISSING_M
  return (
    <div className="@container">
      <table className="w-full stacks">
        <thead className="text-left text-muted">
          <tr>
            <th scope="col" className="h-8 font-medium">
              Product
            </th>
            <th scope="col" className="h-8 pr-3 text-right font-medium">
              Quantity
            </th>
            <th scope="col" className="h-8 text-right font-medium">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-line">
            <td className="h-10 pr-3">Pokétwo Pokécoins</td>
            <td className="tabular h-10 pr-3 text-right">{millions(quantityM)}</td>
            <td className="tabular h-10 text-right">{usd(centsOf(order.totalAmount))}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function Transaction({ order }: { order: Order }) {
  const { paymentId, paymentMethod, payAmount, payment, transactionData } = order
  if (paymentId === null) return <p className="text-muted">No transaction data available</p>
  const totalCents = centsOf(order.totalAmount)
  const startedAt = order.events?.findLast(({ type }) => type === 'PaymentStarted')?.at ?? order.createdAt
  const isConfirmed = order.paidCents > 0 && transactionData?.status === 'received'
  const feeCents = paymentMethod === null ? 0 : feeCentsOf(paymentMethod)
  return (
    <Facts>
      <Fact name="Payment ID">
        <span className="font-mono">{paymentId}</span>
      </Fact>
      <Fact name="Amount">
        {usd(totalCents + feeCents)}
        {paymentMethod === 'upi' && ` (${inrOf(totalCents, order.inrPerUsd)})`}
        {paymentMethod === 'crypto' &&
          payAmount !== null &&
          ` (${payAmount} ${payment?.currency.toUpperCase() ?? 'LTC'})`}
      </Fact>
      <Fact name="Confirmed">{isConfirmed ? 'Yes' : 'No'}</Fact>
      <Fact name="Received">{usd(order.paidCents)}</Fact>
      <Fact name="Created">{dateTime(startedAt)}</Fact>
    </Facts>
  )
}

function Timeline({ order }: { order: Order }) {
  const events = order.events?.toReversed() ?? []
  return (
    <ol className="grid">
      {events.map((event, index) => (
        <li key={`${event.at}-${event.type}-${index}`} className="grid border-l-2 border-line py-1.5 pl-4">
          <span>{event.text}</span>
          <span className="tabular text-muted">
            {actorNames[event.actor]}, <time dateTime={event.at}>{dateTime(event.at)}</time>
          </span>
        </li>
      ))}
    </ol>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular ml-auto min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  )
}
