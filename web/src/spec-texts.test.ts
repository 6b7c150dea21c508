import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { claims } from './claims.ts'
import { stepTitles } from './components/layout/steps.tsx'
import { checkoutStep } from './features/order/checkout-step.ts'
import { cryptoMessages, isCryptoFailed, isCryptoPaid, opensConfirm } from './features/payment/crypto-words.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const staff = /^(?:features\/admin\/|routes\/admin|api\/(?:admin|staff-session))/

/** The buyer's screens, as written, each run of white space as one space. */
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => relative(root, join(root, path)).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !staff.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ')]),
)

function sourceOf(path: string): string {
  const source = sources.get(path)
  if (source === undefined) throw new Error(`There is no ${path}.`)
  return source
}

const app = sourceOf('app.tsx')

describe('every address of the shop leads to its screen', () => {
  it.for([
    ['/', 'Landing'],
    ['/about-us', 'About'],
    ['/purchase', 'Purchase'],
    ['/order/:orderId', 'OrderStatus'],
    ['/checkout/:orderId', 'Checkout'],
    ['/order/:orderId/payment-method', 'PaymentMethod'],
    ['/order/:orderId/payment', 'Payment'],
    ['/order/:orderId/confirm', 'Confirm'],
    ['/terms', 'Terms'],
    ['/privacy', 'Privacy'],
    ['/refunds', 'Refunds'],
    ['/contact', 'Contact'],
    ['/success', 'Success'],
    ['/admin', 'Admin'],
    ['/admin/orders', 'Admin'],
    ['/admin/orders/:orderId', 'Admin'],
    ['/admin/products', 'Admin'],
    ['/admin/settings', 'Admin'],
    ['*', 'NotFound'],
  ] as const)('%s opens %s', ([path, screen]) => {
    expect(app).toContain(`<Route path="${path}" element={<${screen} />} />`)
  })

  it.for([
    ['/checkout', 'Invalid Checkout'],
    ['/order', 'Invalid Order'],
    ['/order/payment', 'Invalid Payment'],
    ['/order/payment-method', 'Invalid Payment'],
  ] as const)('%s without an id says %s', ([path, heading]) => {
    expect(app).toContain(`<Route path="${path}" element={<MissingId heading="${heading}" />} />`)
    expect(sourceOf('routes/missing-id.tsx')).toContain('Order ID is required')
  })
})

describe('every message about what the buyer did is worded as promised', () => {
  it.for([
    ['features/purchase/quantity-step.tsx', "toast('Insufficient Stock', onlyInStock(stockM)"],
    ['features/purchase/quantity-step.tsx', 'return `Only ${millions(stockM)} Pokecoins available in stock`'],
    ['features/purchase/use-placing.ts', "'Error', 'Failed to create order. Please try again.'"],
    ['routes/payment-method.tsx', "'Failed to update payment method. Please try again.'"],
    ['routes/payment-method.tsx', "'Please select a payment method'"],
    ['routes/payment-method.tsx', '"Choose how you\'d like to pay for your order."'],
    [
      'features/payment/crypto-panel.tsx',
      "'Payment Error', 'Failed to create crypto payment. Please try again.', { destructive: true }",
    ],
    [
      'features/payment/crypto-panel.tsx',
      "'Payment Failed', 'The payment was not successful. Please try again.', { destructive: true }",
    ],
    [
      'features/payment/paypal-panel.tsx',
      "'Payment Failed', 'There was an error processing your payment. Please try again.', { destructive: true }",
    ],
    ['features/payment/paypal-panel.tsx', "toast('Payment Successful')"],
    ['features/payment/upi-panel.tsx', "toast('Payment Error', text, { destructive: true })"],
    ['features/payment/upi-panel.tsx', "'Failed to initiate payment. Please try again.'"],
    ['features/payment/upi-panel.tsx', 'title="UPI payment failed. Please try again."'],
    ['features/payment/upi-panel.tsx', "toast('Mock Payment Successful')"],
    ['features/payment/upi-panel.tsx', "toast('Redirecting to UPI checkout')"],
    ['components/ui/copy-button.tsx', "toast('Copied!'"],
    ['components/ui/copy-button.tsx', "toast('Copy Failed', 'Unable to copy to clipboard'"],
    ['routes/confirm.tsx', "'Payment Cancelled', 'Your UPI payment was cancelled. Please try again.'"],
    [
      'features/order/use-outcome-toast.ts',
      "'Processing Error', 'Failed to process your order. Please contact support.'",
    ],
    ['features/order/use-outcome-toast.ts', "'Your Pokécoins have been delivered successfully!'"],
  ] as const)('%s: %s', ([path, text]) => {
    expect(sourceOf(path)).toContain(text)
  })
})

describe('every screen says and offers what it promises', () => {
  it.for([
    [
      'components/layout/nav-bar.tsx',
      ['Home', 'About Us', 'Process', 'Why Us', 'Admin', 'Buy Now', 'to="/admin"', 'to="/purchase"'],
    ],
    ['components/layout/footer.tsx', ['/privacy', '/refunds', '/contact', '/terms']],
    ['features/landing/sections.tsx', ['How it Works', 'Why Us', 'id="process"', 'id="why-us"']],
    ['routes/landing.tsx', ['id="home"', 'How it Works', 'SETTINGS_ON_LANDING_EVERY_MS']],
    ['routes/about-us.tsx', ['to="/purchase"', 'to="/"']],
    ['features/purchase/quantity-step.tsx', ["'USD', 'INR'", 'Out of Stock', 'disabled={isOut}']],
    ['features/payment/method-offers.ts', ['Currently unavailable', 'Enabled`] === false']],
    ['routes/checkout.tsx', ['Cancel Order', 'View Order Status', 'Continue to Payment', "navigate('/')"]],
    ['routes/checkout.tsx', ["order.status === 'completed') return <Navigate to={`/order/${order.id}`} replace />"]],
    [
      'routes/payment.tsx',
      ['No payment method selected or invalid payment method.', 'Select Payment Method', 'Payment Completed!'],
    ],
    [
      'routes/confirm.tsx',
      ['Total paid', 'What happens next', 'View Order Status', 'Place New Order', 'ContactSupport', 'Copy Link'],
    ],
    ['routes/order-status.tsx', ['Order details', 'Timeline', 'Payment information', 'Continue Payment']],
    ['features/order/order-screen.tsx', ['Order Not Found', 'Order {orderId} could not be found.']],
    ['routes/success.tsx', ['Payment Successful!', 'coins were delivered', 'Place New Order', 'to="/"']],
    ['routes/not-found.tsx', ['404 Page Not Found']],
    ['components/layout/policy-page.tsx', ['Back to Home']],
    [
      'routes/contact.tsx',
      ['Direct Message', 'Discord Server', 'Support Information', 'Before You Contact Us', 'Support Hours', '_blank'],
    ],
    ['components/ui/toaster.tsx', ["'F8'"]],
  ] as const)('%s', ([path, texts]) => {
    const source = sourceOf(path)
    const shown = path === 'routes/confirm.tsx' ? source + sourceOf('features/order/order-slip.tsx') : source
    expect(texts.filter((text) => !shown.includes(text))).toEqual([])
  })

  it('calls the six steps of a purchase by their names', () => {
    expect(stepTitles).toEqual([
      'Select Quantity',
      'Customer Information',
      'Market ID Verification',
      'Payment Method',
      'Payment',
      'Complete',
    ])
  })

  it.for([
    ['routes/privacy.tsx', 12],
    // The questions come after the eight.
    ['routes/refunds.tsx', 9],
    ['routes/terms.tsx', 13],
  ] as const)('%s has its %i sections', ([path, sections]) => {
    expect(sourceOf(path).match(/heading: ['"]/g)).toHaveLength(sections)
  })

  it('makes the claims of the owner, and these alone', () => {
    expect(claims).toMatchObject({
      support: 'Support answers within 6 hours',
      delivery: 'Delivery in seconds to 30 seconds',
      deliveryTypically: 'typically 5-10 minutes',
      deliveryByPolicy: '5-30 minutes',
      bulk: 'Up to 25% off on bulk',
      preOrder: '7-10 days',
      cryptoConfirmation: '5-15 minutes',
    })
  })
})

describe('every interval and delay is the promised one', () => {
  it.for([
    ['api/pricing.ts', 'PRICING_EVERY_MS = 10_000'],
    ['api/settings.ts', 'SETTINGS_EVERY_MS = 10_000'],
    ['api/settings.ts', 'SETTINGS_ON_LANDING_EVERY_MS = 30_000'],
    ['api/orders.ts', 'ORDER_STATUS_EVERY_MS = 5_000'],
    ['api/orders.ts', 'ORDER_PAYMENT_EVERY_MS = 3_000'],
    ['features/payment/crypto-panel.tsx', 'STATUS_EVERY_MS = 5_000'],
    ['features/payment/crypto-panel.tsx', 'STATUS_FOR_MS = 30 * 60 * 1000'],
    ['features/payment/crypto-panel.tsx', 'CONFIRM_AFTER_MS = 1_000'],
    ['routes/payment.tsx', 'CONFIRM_AFTER_MS = 1_000'],
    ['routes/payment.tsx', 'everyMs={ORDER_PAYMENT_EVERY_MS}'],
    ['routes/order-status.tsx', 'everyMs={ORDER_STATUS_EVERY_MS}'],
    ['routes/confirm.tsx', 'HOME_AFTER_MS = 2_000'],
    ['features/payment/upi-panel.tsx', 'MOCK_SUCCESS_AFTER_MS = 2_000'],
    ['features/order/confetti.tsx', 'PIECES = 50'],
    ['features/order/confetti.tsx', 'LASTS_MS = 3_000'],
    ['components/layout/scroll.tsx', 'SCROLL_DELAY_MS = 100'],
    ['components/ui/toast.ts', 'SHOWN_MAX = 1'],
    ['components/ui/toast.ts', 'DURATION_MS = 5_000'],
    ['components/ui/toast.ts', 'REMOVED_AFTER_MS = 1_000_000'],
    ['components/ui/toaster.tsx', 'SWIPE_PX = 50'],
    ['api/swr.tsx', 'shouldRetryOnError: false'],
    ['api/swr.tsx', 'revalidateIfStale: false'],
    ['api/swr.tsx', 'revalidateOnFocus: false'],
    ['api/client.ts', "credentials: 'include'"],
    ['api/client.ts', "`${status}: ${body === '' ? statusText : body}`"],
  ] as const)('%s: %s', ([path, text]) => {
    expect(sourceOf(path)).toContain(text)
  })
})

describe('a crypto payment', () => {
  it('is spoken of in the promised words', () => {
    expect(cryptoMessages).toMatchObject({
      waiting: 'Waiting for payment...',
      confirming: 'Payment received, confirming on blockchain...',
      sending: 'Payment confirmed, processing order...',
      finished: 'Payment received! Processing your order...',
      completed: 'Payment completed successfully!',
      failed: 'Payment failed or expired',
      expired: 'Payment expired',
      partially_paid: 'Partial payment received - please complete the full amount',
    })
  })

  it('leads on when it is paid, stops when it failed, and is not paid when it is short', () => {
    const words = Object.keys(cryptoMessages)
    expect(words.filter(isCryptoPaid)).toEqual(['sending', 'finished', 'confirmed', 'completed'])
    expect(words.filter(isCryptoFailed)).toEqual(['failed', 'expired', 'refunded'])
    expect(opensConfirm('partially_paid')).toBe(false)
  })
})

it('finds the step of a checkout from what the order holds', () => {
  const nothing = { customerEmail: '', discordUsername: '', marketId: '', pokecoinAmount: 0 }
  const customer = { customerEmail: 'ann@example.com', discordUsername: 'ann' }
  expect([
    checkoutStep(nothing),
    checkoutStep({ ...nothing, pokecoinAmount: 5 }),
    checkoutStep({ ...nothing, ...customer }),
    checkoutStep({ ...nothing, ...customer, marketId: '12345678' }),
  ]).toEqual([1, 2, 3, 4])
})
