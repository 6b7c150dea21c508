/**
 * What the shop promises its buyers. The owner edits this file: every screen takes its claims and delivery times
 * from here.
 */
export const claims = {
  headline: 'Coins over the counter.',
  support: 'Support answers within 6 hours',
  /** On the landing page if delivery is automatic and pre-orders are off. */
  delivery: 'Delivery in seconds to 30 seconds',
  /** On paid orders, and on the landing page otherwise. */
  deliveryTypically: 'typically 5-10 minutes',
  /** On the policy pages. */
  deliveryByPolicy: '5-30 minutes',
  /** `{percent}` becomes the largest pack discount combined with the bulk discount. */
  bulk: 'Up to {percent}% off on bulk',
  players: '100+',
  deliveries: '10,000+',
  sold: '25B+',
  uptime: '99.9%',
  preOrder: '7-10 days',
  /** For Litecoin only. */
  cryptoConfirmation: '5-15 minutes',
  supportHours: 'daily 9:00 AM-11:00 PM IST; emergencies 24/7',
  refundWindow: '24 hours',
  age: '18 or older',
  /** The date of the terms and the refund policy. */
  policiesOf: '22 November 2026',
}

/** Sentences that several pages share. */
export const policy = {
  refundRequests: `Ask for a refund within ${claims.refundWindow} after the coins were due: ${claims.deliveryByPolicy} after the payment was confirmed, for a pre-order ${claims.preOrder}.`,
  final:
    'Once delivered, the sale is final: there is no refund. Coins that are marked as delivered and did not arrive are replaced for 24 hours after the delivery.',
  chargebacks:
    'A chargeback without first contacting support leads to account suspension, a permanent ban, blacklisting and possible legal action.',
  keepListing: 'Leave the listing on the market until the coins have arrived: we buy it, and its price is yours.',
  wrongMarketId:
    'A wrong market ID can possibly be corrected within 10 minutes, if the delivery has not started. Write to support at once.',
}
