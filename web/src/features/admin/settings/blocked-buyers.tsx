import type { Block, BlockKind } from '#contract/blocks.ts'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { renewBlock, unblockBuyer, useBlocks } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { Loaded } from '../../../components/ui/loaded.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { toast, useAction } from '../../../components/ui/use-action.ts'
import { count, date } from '../../../lib/format.ts'
import { blockReasonNames } from '../shared/staff-words.ts'

const kindNames: Readonly<Record<BlockKind, string>> = { email: 'e-mail', name: 'chat name', payer: 'PayPal account' }

export function BlockedBuyers() {
  const response = useBlocks()
  const none = <p className="text-muted">Nobody is blocked. Open an order to block its buyer.</p>
  return (
    <TitledCard title="Blocked buyers" id="blocked">
      <Loaded
        response={response}
        loading="Loading the blocked buyers..."
        failure="The blocked buyers could not be loaded"
        empty={response.data?.blocks.length === 0 ? none : undefined}
      >
        {({ blocks }) => (
          <ul className="grid max-h-96 gap-4 overflow-y-auto" aria-label="Blocked buyers" tabIndex={0}>
            {blocks.map((block) => (
              <BlockedBuyer key={block.id} {...block} />
            ))}
          </ul>
        )}
      </Loaded>
    </TitledCard>
  )
}

function BlockedBuyer({ id, kinds, reason, blockedAt, endsAt, met, remark, order }: Block) {
  const [asks, setAsks] = useState(false)
  const renew = useAction(async () => toast('Block renewed', (await renewBlock(id)).message), 'Not renewed')
  const unblock = useAction(async () => {
    await unblockBuyer(id)
    toast('Buyer unblocked', 'This buyer can order again.')
  }, 'Still blocked')
  const who = order ? `${order.customerEmail}, ${order.discordUsername}` : 'An erased buyer'
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5 wrap-anywhere">
        <h4 className="font-semibold">{order ? <Link to={`/admin/orders/${order.id}`}>{who}</Link> : who}</h4>
        <p className="text-muted">
          {blockReasonNames[reason]}; by {kinds.map((kind) => kindNames[kind]).join(', ')}. From{' '}
          {date(new Date(blockedAt))} to {date(new Date(endsAt))}, met {met === 1 ? 'once' : `${count(met)} times`}.
        </p>
        {remark !== '' && <p>{remark}</p>}
      </div>
      <div className="flex gap-2">
        <Button size="small" pending={renew.isBusy && 'Renewing...'} onClick={renew.run}>
          Renew<span className="sr-only"> {who}</span>
        </Button>
        <Button size="small" onClick={() => setAsks(true)}>
          Unblock<span className="sr-only"> {who}</span>
        </Button>
      </div>
      {asks && (
        <ConfirmDialog
          title="Unblock this buyer?"
          action="Unblock"
          kind="primary"
          pending={unblock.isBusy && 'Unblocking...'}
          onConfirm={unblock.run}
          onClose={() => setAsks(false)}
        >
          <p>{who} can order again. What the block knows is deleted.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
