import type { Order, SettlementReason } from '#contract/order.ts'
import { settleAttention } from '../../../api/admin.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Choice } from '../../../components/ui/field.tsx'
import { toast } from '../../../components/ui/toast.ts'
import { useForm } from '../../../components/ui/use-form.ts'
import { usd } from '../../../lib/format.ts'
import { settlementReasonNames } from './staff-words.ts'

/** Asks what becomes of the money before the order stops asking. The server refuses if the order has changed since. */
export function SettleDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { form, problems, isBusy } = useForm<'reason'>({
    check: (typed) => ('reason' in typed ? {} : { reason: 'Choose a reason.' }),
    act: async ({ reason }) => {
      try {
        await settleAttention(order.id, { revision: order.revision, reason: reason as SettlementReason })
        toast('Success', `Order ${order.orderNumber} was settled.`)
        onClose()
      } catch (error) {
        if (error instanceof ApiError && error.code === 'order/changed') onClose()
        throw error
      }
    },
    failure: 'Not settled',
  })
  return (
    <Dialog title={`Settle order ${order.orderNumber}?`} onClose={() => !isBusy && onClose()}>
      <form {...form} className="grid gap-5 text-sm" noValidate>
        <Choice
          id="settle-reason"
          name="reason"
          legend={
            order.paidCents > 0
              ? `${usd(order.paidCents)} stays with the shop. Why?`
              : 'No money of this order is held. Why is nothing left to do?'
          }
          options={settlementReasonNames}
          error={problems['reason']}
        />
        <p>The order then asks for a person only if something new happens. The reason stays in its timeline.</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="small" pending={isBusy && 'Settling...'}>
            Settle
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
