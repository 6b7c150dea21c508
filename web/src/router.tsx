/** One chunk per screen; none but the staff's own reaches the staff's code. */
export const screens = {
  landing: again(async () => ({ default: (await import('./routes/landing.tsx')).Landing })),
  purchase: again(async () => ({ default: (await import('./routes/purchase.tsx')).Purchase })),
  checkout: again(async () => ({ default: (await import('./routes/checkout.tsx')).Checkout })),
  paymentMethod: again(async () => ({ default: (await import('./routes/payment-method.tsx')).PaymentMethod })),
  payment: again(async () => ({ default: (await import('./routes/payment.tsx')).Payment })),
  confirm: again(async () => ({ default: (await import('./routes/confirm.tsx')).Confirm })),
  orderStatus: again(async () => ({ default: (await import('./routes/order-status.tsx')).OrderStatus })),
  missingId: again(async () => ({ default: (await import('./routes/missing-id.tsx')).MissingId })),
  success: again(async () => ({ default: (await import('./routes/success.tsx')).Success })),
  about: again(async () => ({ default: (await import('./routes/about-us.tsx')).AboutUs })),
  terms: again(async () => ({ default: (await import('./routes/terms.tsx')).Terms })),
  privacy: again(async () => ({ default: (await import('./routes/privacy.tsx')).Privacy })),
  refunds: again(async () => ({ default: (await import('./routes/refunds.tsx')).Refunds })),
  contact: again(async () => ({ default: (await import('./routes/contact.tsx')).Contact })),
  admin: again(async () => ({ default: (await import('./routes/admin.tsx')).Admin })),
  notFound: again(async () => ({ default: (await import('./routes/not-found.tsx')).NotFound })),
}

/** A chunk that did not arrive is asked for once more; then the error boundary offers to load the page again. */
function again<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => load().catch(load)
}
