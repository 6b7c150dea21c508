/**
 * What the shop promises in words. The owner edits this file; an empty text is not shown. Every screen takes its
 * claims and delivery times from here.
 */
export const claims = {
  headline: 'Coins over the counter.',
  support: 'Support answers within 6 hours',
  /** On the landing page, where the bot or the shop delivers. */
  delivery: 'Delivery in seconds to 30 seconds',
  /** Of a paid order, and on the landing page where staff hand the coins over. */
  deliveryTypically: 'typically 5-10 minutes',
  /** On the policy pages. */
  deliveryByPolicy: '5-30 minutes',
  bulk: 'Up to 25% off on bulk',
  players: '100+',
  deliveries: '10,000+',
  sold: '25B+',
  uptime: '99.9%',
  preOrder: '7-10 days',
  cryptoConfirmation: '5-15 minutes',
  supportHours: 'daily 9:00 AM-11:00 PM IST; emergencies 24/7',
  refundWindow: '24 hours',
  age: '18 or older',
}
