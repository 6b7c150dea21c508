import { describe, expect, it } from 'vitest'
import type { PaymentProviders } from './shop/shop.ts'
import { parseConfig } from './config.ts'
import { byMethod } from './domain/payment-methods.ts'
import { assertTakesMoney, unusableMethods } from './payment-providers.ts'

const none: PaymentProviders = byMethod(() => undefined)
const live = parseConfig({ PAYMENTS: 'live', NOWPAYMENTS_API_KEY: 'key', CASHFREE_CLIENT_ID: 'id' })

describe('methods that take no money', () => {
  it('are named with the keys that are missing', () => {
    expect(unusableMethods(live, none)).toEqual({
      paypal: 'PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID are missing',
      crypto: 'NOWPAYMENTS_IPN_SECRET is missing',
      upi: 'UPIGATEWAY_KEY is missing',
    })
  })

  it('keep a live shop closed where they are all', () => {
    expect(() => assertTakesMoney(live, unusableMethods(live, none))).toThrow(
      /^PAYMENTS is live, but no payment method can take money .*NOWPAYMENTS_IPN_SECRET is missing/,
    )
    expect(() => assertTakesMoney(live, { ...unusableMethods(live, none), upi: null })).not.toThrow()
    expect(() => assertTakesMoney(parseConfig({}), unusableMethods(live, none))).not.toThrow()
  })
})
