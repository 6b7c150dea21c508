import { buyerTextNames, buyerTexts } from '#contract/buyer.ts'
import type { Order } from '#contract/order.ts'
import { useSold } from '../../../api/shop.ts'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { centsOf, millions, timeInZone, usd } from '../../../lib/format.ts'
import { actorNames, paidWith, protectionNames } from '../shared/staff-words.ts'

/** What proves the delivery to a provider, to be copied or printed on a page of its own. */
export function Evidence({ order }: { order: Order }) {
  const text = evidenceOf(order, useSold().coins)
  return (
    <TitledCard title="Evidence for a dispute">
      <pre
        data-printed
        className="max-h-60 overflow-auto font-sans text-xs whitespace-pre-wrap wrap-anywhere"
        tabIndex={0}
      >
        {text}
      </pre>
      <div className="flex flex-wrap gap-2">
        <CopyButton size="small" text={text} what="evidence" />
        <Button size="small" onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </TitledCard>
  )
}

/** The order and its buyer's data as given, its money, its delivery with the note, and when each happened. */
function evidenceOf(order: Order, coins: string): string {
  const { orderNumber, pokecoinAmount, totalAmount, paymentMethod, receipts = [], events = [], deliveryNote } = order
  const delivered = events.findLast(({ type }) => type === 'OrderCompleted')
  const sold = `${millions(pokecoinAmount)} ${coins} for ${usd(centsOf(totalAmount))} by ${paidWith(paymentMethod)}`
  const facts = {
    Order: `${orderNumber}, ${sold}`,
    Placed: timeInZone(order.createdAt),
    ...Object.fromEntries(buyerTextNames.map((name) => [buyerTexts[name].label, order[name]])),
    'Market IDs': order.marketIds.map(({ marketId, amount }) => `${marketId} (${millions(amount)})`).join(', '),
    Payments: receipts.map(paymentText).join(', '),
    'Marked as delivered': delivered ? `${timeInZone(delivered.at)} by ${actorNames[delivered.actor]}` : '',
    'Delivery note': deliveryNote?.text ?? '',
  }
  const lines = Object.entries(facts).filter(([, value]) => value !== '')
  return [
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    ...events.map(({ at, actor, text }) => `${timeInZone(at)}, ${actorNames[actor]}: ${text}`),
  ].join('\n')
}

function paymentText({ receiptId, sellerProtection }: NonNullable<Order['receipts']>[number]): string {
  return sellerProtection ? `${receiptId} (seller protection: ${protectionNames[sellerProtection]})` : receiptId
}
