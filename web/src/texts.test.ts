import { expect, it } from 'vitest'
import { claims } from './claims.ts'
import { stepTitles } from './components/layout/steps.tsx'
import { wording } from './features/order/wording.ts'
import { prerender } from './prerender.tsx'
import { feeSentence, methodWords } from './method-words.ts'

/** The texts of a screen without data, in their order and without markup. */
async function textOf(address: string): Promise<string> {
  const html = await prerender(address)
  const main = html.slice(html.indexOf('<main'))
  return main
    .replaceAll(/<(?:\/?(?:a|span|strong|em|b)\b[^>]*|!--[^>]*)>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#x27;', "'")
    .replaceAll('\u00A0', ' ')
}

/** The number of a policy's sections. */
async function sectionsOf(address: string): Promise<number> {
  return (await prerender(address)).match(/<section id=/g)?.length ?? 0
}

it('the six steps of a purchase have their promised names', () =>
  expect(stepTitles.join()).toBe(
    'Select Quantity,Customer Information,Market ID Verification,Payment Method,Payment,Complete',
  ))

it('the choice of methods shows the fee of PayPal and the duration of crypto', () => {
  const texts = [methodWords.paypal.text, methodWords.crypto.text]
  expect(texts).toEqual(['A fee of $0.40 is included', 'Litecoin, confirmed in 5-15 minutes'])
})

it('each situation of an order has its promised badge', () => {
  const badges = Object.fromEntries(Object.entries(wording).map(([situation, { badge }]) => [situation, badge]))
  expect(badges).toMatchObject({
    'to-pay': 'Pending',
    waiting: 'Waiting for payment',
    seen: 'Payment seen',
    short: 'Partly paid',
    'failed-payment': 'Not paid',
    delivering: 'Paid',
    completed: 'Completed',
    expired: 'Expired',
    cancelled: 'Cancelled',
  })
})

it.for([
  [
    '/',
    [
      ['Coins over the counter.', 'USD per 1M', 'INR per 1M', 'In stock', 'Buy coins'],
      ['How it Works', 'Quantity', 'Details', 'Market ID', 'The 8 digits of your market listing', 'Payment'],
      ['Why Us', 'players served', '100+', 'deliveries made', '10,000+', 'coins sold', '25B+', 'uptime', '99.9%'],
      ['Can I pay with USDT?', 'Yes, where the page of the payment offers it'],
      ['Privacy', 'Refunds', 'Contact', 'Terms'],
    ].flat(),
  ],
  [
    '/privacy',
    [
      ['Back to Home', 'Information we collect', 'How we use it', 'Sharing', 'Security', 'Payment data is not stored.'],
      ['Cookies', 'Retention'],
      'Transaction records 7 years; support communications 3 years; account data until closure; analytics anonymized indefinitely.',
      ['Your rights', 'Rights requests are answered within 30 days.'],
      ['Children', 'Under 13 is not allowed. From 13 to 18, parental consent is recommended.'],
      ['International transfers', 'Changes', 'Legal compliance'],
      ['Contact', 'Privacy questions are answered within 48 hours'],
    ].flat(),
  ],
  [
    '/refunds',
    [
      'Back to Home',
      'Quick summary',
      'Ask for a refund within 24 hours',
      'with your order ID, a payment proof and a description.',
      'It takes 24-48 hours; the final decision comes within 72 hours.',
      'We deliver, refund, or explain why not.',
      'PayPal: 1-3 business days',
      'UPI and bank: 3-7 business days',
      'Crypto: 1-24 hours',
      'replaced for 24 hours',
      'corrected within 10 minutes, if the delivery has not started',
      'down for over 48 hours, we discuss the options',
      'account suspension, a permanent ban, blacklisting and possible legal action',
      'This policy is governed by Indian law.',
      'Questions',
    ],
  ],
  [
    '/terms',
    [
      'Back to Home',
      'You must be 18 or older to buy.',
      feeSentence(),
      'Usually 5-30 minutes after the payment is confirmed, longer at peak times.',
      'delivered within 7-10 days',
      'Once delivered, the sale is final',
      'Ask for a refund within 24 hours',
      'A chargeback without first contacting support leads to account suspension',
    ],
  ],
  ['/contact', ['Back to Home', 'Contact', 'Questions', 'A delivery usually takes 5-30 minutes']],
  ['/about-us', ['About Us', 'Buy coins', 'Back to Home']],
  ['/success', ['Payment Successful!', 'Your coins were delivered.', 'Place New Order']],
  ['/order', ['Invalid Order', 'Order ID is required']],
  ['/checkout', ['Invalid Checkout', 'Order ID is required']],
  ['/order/payment', ['Invalid Payment', 'Order ID is required']],
  ['/order/payment-method', ['Invalid Payment', 'Order ID is required']],
  ['/nothing-here', ['404 Page Not Found', 'Did you forget to add the page to the router?']],
] as const)('the screen at %s shows its promised texts', async ([address, texts]) => {
  const said = await textOf(address)
  expect(texts.filter((text) => !said.includes(text))).toEqual([])
})

it('each policy has its sections', async () => {
  // The refund policy has a summary before its eight sections, and questions after them.
  const sections = await Promise.all(['/privacy', '/refunds', '/terms'].map(sectionsOf))
  expect(sections).toEqual([12, 10, 13])
})

it('the privacy policy is dated today, and the others have a fixed date', async () => {
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date())
  expect(await textOf('/privacy')).toContain(`Last updated: ${today}`)
  for (const address of ['/refunds', '/terms'])
    expect(await textOf(address)).toContain(`Last updated: ${claims.policiesOf}`)
})
