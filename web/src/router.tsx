import { lazily } from './lib/lazily.ts'

/** One chunk per screen; buyers never load the code of staff. */
export const screens = {
  Landing: lazily(async () => (await import('./routes/landing.tsx')).Landing),
  Purchase: lazily(async () => (await import('./routes/purchase.tsx')).Purchase),
  Checkout: lazily(async () => (await import('./routes/checkout.tsx')).Checkout),
  PaymentMethod: lazily(async () => (await import('./routes/payment-method.tsx')).PaymentMethod),
  Payment: lazily(async () => (await import('./routes/payment.tsx')).Payment),
  Confirm: lazily(async () => (await import('./routes/confirm.tsx')).Confirm),
  OrderStatus: lazily(async () => (await import('./routes/order-status.tsx')).OrderStatus),
  MissingId: lazily(async () => (await import('./routes/missing-id.tsx')).MissingId),
  Success: lazily(async () => (await import('./routes/success.tsx')).Success),
  About: lazily(async () => (await import('./routes/about-us.tsx')).AboutUs),
  Terms: lazily(async () => (await import('./routes/terms.tsx')).Terms),
  Privacy: lazily(async () => (await import('./routes/privacy.tsx')).Privacy),
  Refunds: lazily(async () => (await import('./routes/refunds.tsx')).Refunds),
  Contact: lazily(async () => (await import('./routes/contact.tsx')).Contact),
  Admin: lazily(async () => (await import('./routes/admin.tsx')).Admin),
  NotFound: lazily(async () => (await import('./routes/not-found.tsx')).NotFound),
}
