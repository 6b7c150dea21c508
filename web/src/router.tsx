import { type ComponentType, lazy } from 'react'

/** One chunk per screen; buyers never load the code of staff. */
export const screens = {
  Landing: screen(async () => (await import('./routes/landing.tsx')).Landing),
  Purchase: screen(async () => (await import('./routes/purchase.tsx')).Purchase),
  Checkout: screen(async () => (await import('./routes/checkout.tsx')).Checkout),
  PaymentMethod: screen(async () => (await import('./routes/payment-method.tsx')).PaymentMethod),
  Payment: screen(async () => (await import('./routes/payment.tsx')).Payment),
  Confirm: screen(async () => (await import('./routes/confirm.tsx')).Confirm),
  OrderStatus: screen(async () => (await import('./routes/order-status.tsx')).OrderStatus),
  MissingId: screen(async () => (await import('./routes/missing-id.tsx')).MissingId),
  Success: screen(async () => (await import('./routes/success.tsx')).Success),
  About: screen(async () => (await import('./routes/about-us.tsx')).AboutUs),
  Terms: screen(async () => (await import('./routes/terms.tsx')).Terms),
  Privacy: screen(async () => (await import('./routes/privacy.tsx')).Privacy),
  Refunds: screen(async () => (await import('./routes/refunds.tsx')).Refunds),
  Contact: screen(async () => (await import('./routes/contact.tsx')).Contact),
  Admin: screen(async () => (await import('./routes/admin.tsx')).Admin),
  NotFound: screen(async () => (await import('./routes/not-found.tsx')).NotFound),
}

/** A chunk that fails to load is tried once more; after that the error boundary shows. */
function screen<Props>(load: () => Promise<ComponentType<Props>>) {
  const loadAgain = async () => ({ default: await load().catch(load) })
  return Object.assign(lazy(loadAgain), { preload: loadAgain })
}
