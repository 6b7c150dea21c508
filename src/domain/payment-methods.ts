/** Stored with every order: a name given once stays. */
export const paymentMethods = ['paypal', 'crypto', 'upi'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
