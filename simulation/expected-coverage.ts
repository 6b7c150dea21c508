import { customerEvents } from '../src/domain/customer/events.ts'
import { inventoryEvents } from '../src/domain/inventory/events.ts'
import { attentionReasons, situations } from '../src/domain/words.ts'
import { orderEvents } from '../src/domain/order/events.ts'
import { receiptEvents } from '../src/domain/receipt/events.ts'
import { type RefusalCode, refusals } from '../src/domain/refusal.ts'
import { actionNames } from './actions.ts'
import { messageActions } from './messages.ts'
import { sendingActions } from './sent-refunds.ts'

/** Refusals of what no simulated actor does, or of limits far above what they do. */
const notRefused: ReadonlySet<string> = new Set<RefusalCode>([
  'order/not-yours',
  'order/link-ended',
  'order/not-delivered',
  'order/not-accepted',
  'order/too-many-open',
  'order/too-many-changes',
  'order/share-exceeded',
  'order/buyer-unreadable',
  'receipt/not-unplaced',
  'settings/price-zero',
  'customer/some-unreadable',
])

/** The simulation has no sessions, packs, blocks or tests of messages. */
const isOfScreens = (code: string): boolean => /^(?:admin|block|message|product)\//.test(code)

/** Only in the themes whose shop sends refunds. */
export const ofSending: ReadonlySet<string> = new Set([
  'RefundRequested',
  'RefundFailed',
  'refund-unknown',
  'refund-refused',
  'refunding',
  'order/refund-not-sent',
  'send-refunds',
])

/** The simulation does not lose events, restore an older copy of the vault or block buyers. */
const notReached = new Set(['SerialsSkipped', 'DeliveryHeld', 'BlockFound'])
const notRaised = new Set(['buyer-unreadable', 'buyer-blocked'])

/** What many seeds must reach; whatever is missing is a gap in the simulation. */
export const expectedCoverage: Readonly<Record<string, readonly string[]>> = {
  events: [orderEvents, inventoryEvents, receiptEvents, customerEvents]
    .flatMap((events) => Object.keys(events))
    .filter((type) => !notReached.has(type) && !ofSending.has(type)),
  // Those of messages and of sent refunds are only in their themes.
  actions: actionNames.filter((name) => !(name in messageActions) && !(name in sendingActions)),
  refusals: Object.keys(refusals).filter((code) => !notRefused.has(code) && !isOfScreens(code) && !ofSending.has(code)),
  situations: situations.filter((situation) => !ofSending.has(situation)),
  attention: attentionReasons.filter((reason) => !notRaised.has(reason) && !ofSending.has(reason)),
  machines: ['events of others in between', 'a clock that goes back', 'an append that lands later'],
  policies: [
    'check-payments-newest',
    'check-payments',
    'finish-receipts',
    'deliver-paid-orders',
    'reinstate-late-orders',
    'reserve-paid-pre-orders',
    'expire-unpaid-orders',
    'end-abandoned-reservations',
    'finish-erasures',
  ],
}
