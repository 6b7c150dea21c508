import type { BlockKind, BlockReason } from '#contract/blocks.ts'
import type { Order } from '#contract/order.ts'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { blockBuyer, useBlocks } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Check, Field, FieldError, Select } from '../../../components/ui/field.tsx'
import { toast } from '../../../components/ui/use-action.ts'
import { useForm } from '../../../components/ui/use-form.ts'
import { randomKey } from '../../../lib/random-key.ts'
import { blockReasonNames } from './staff-words.ts'

/** Blocks the buyer of an order, or says that this was done. */
export function BlockBuyer({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false)
  const isBlocked = useBlocks().data?.blocks.some((block) => block.order?.id === order.id)
  if (isBlocked)
    return (
      <p>
        This buyer is blocked: see <Link to="/admin/settings#blocked">Blocked buyers</Link>.
      </p>
    )
  return (
    <>
      <Button size="small" className="justify-self-start" onClick={() => setOpen(true)}>
        Block this buyer...
      </Button>
      {isOpen && <BlockDialog order={order} onClose={() => setOpen(false)} />}
    </>
  )
}

function BlockDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  // One key per dialog: a repeated request is one block.
  const [key] = useState(randomKey)
  const isByWallet = order.receipts?.some(({ method }) => method === 'paypal') === true
  const offered: Partial<Record<BlockKind, string>> = {
    email: `E-mail ${order.customerEmail}`,
    name: `Chat name ${order.discordUsername}`,
    ...(isByWallet && { payer: 'The PayPal account that paid' }),
  }
  const kinds = Object.keys(offered) as BlockKind[]
  const { form, problems, isBusy } = useForm<BlockKind | 'reason' | 'remark'>({
    check: (typed) => (kinds.some((kind) => typed[kind]) ? {} : { email: 'Tick what to block.' }),
    async act(typed) {
      const ticked = kinds.filter((kind) => typed[kind])
      const reason = typed.reason as BlockReason
      const { message } = await blockBuyer(order.id, { kinds: ticked, reason, remark: typed.remark }, key)
      toast('Buyer blocked', message)
      onClose()
    },
    fields: { 'block/payer-unknown': 'payer', 'block/exists': 'email' },
    failure: 'Not blocked',
  })
  const problem = problems['email'] ?? problems['payer']
  return (
    <Dialog title="Block this buyer?" onClose={() => !isBusy && onClose()}>
      <form {...form} className="grid gap-4 text-sm" noValidate>
        <p>
          New orders are refused for 24 months, without a reason. Unpaid orders of this buyer are cancelled; what is
          paid waits for you.
        </p>
        <fieldset className="grid" aria-describedby={problem && 'block-error'}>
          <legend className="mb-1 font-semibold">What to block</legend>
          <FieldError id="block" error={problem} />
          {kinds.map((kind) => (
            <Check key={kind} name={kind} value="on" defaultChecked className="wrap-anywhere">
              {offered[kind]}
            </Check>
          ))}
        </fieldset>
        <Select label="Reason" name="reason" options={blockReasonNames} />
        <Field
          id="block-remark"
          name="remark"
          inputClassName="min-h-9"
          label="Note (optional)"
          hint="For you alone. It is erased with the buyer."
          autoComplete="off"
          maxLength={500}
          error={problems['remark']}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="small" kind="danger" pending={isBusy && 'Blocking...'}>
            Block
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
