import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Grouped } from '../../components/ui/grouped.tsx'
import { centsOf, millions, usd } from '../../lib/format.ts'
import type { UnpaidChoice, UnpaidOrder } from './place-draft.ts'
import { Notice } from '../../components/ui/notice.tsx'

interface UnpaidDialogProps {
  order: UnpaidOrder
  isBusy: boolean
  onChoose: (choice: UnpaidChoice) => void
  onClose: () => void
}

/** Asks whether to keep or replace an unpaid order before placing another. */
export function UnpaidDialog({ order, isBusy, onChoose, onClose }: UnpaidDialogProps) {
  return (
    <Dialog title="You have an unpaid order" onClose={() => !isBusy && onClose()}>
      <div className="grid gap-5">
        <p>
          Order <Grouped text={order.orderNumber} className="font-semibold" /> for {millions(order.pokecoinAmount)}{' '}
          {order.isStarted ? 'waits for a payment that was started.' : 'is not paid yet.'}
        </p>
        <p>
          If you change it, it is cancelled and this order takes its place.
          {order.isStarted && ' If you have sent money for it, keep it.'}
        </p>
        <div className="grid gap-2">
          <Button kind="primary" pending={isBusy && 'Placing your order…'} onClick={() => onChoose('keep')}>
            Keep it and buy another
          </Button>
          <Button disabled={isBusy} onClick={() => onChoose('change')}>
            Change it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The old price, which the buyer accepted, and the new one. */
export function PriceChanged({ was, now }: { was: string | null; now: string }) {
  return (
    <Notice tone="wait" title="The price has changed" role="alert">
      <p className="tabular-nums">
        {was !== null && (
          <>
            It was <s>{usd(centsOf(was))}</s> when you chose.{' '}
          </>
        )}
        It is now <strong>{usd(centsOf(now))}</strong>. Nothing is ordered until you continue.
      </p>
    </Notice>
  )
}
