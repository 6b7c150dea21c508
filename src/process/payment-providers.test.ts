import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NowPaymentsDouble } from '../payments/nowpayments/testing/nowpayments-double.ts'
import type { PaymentProviders } from '../shop/command-context.ts'
import { systemClock } from './system.ts'
import { parseConfig } from '../config.ts'
import { byMethod } from '../domain/payment-methods.ts'
import {
  assertTakesMoney,
  kindOfPayments,
  providersFor,
  windowsOf,
  unusableMethods,
  webhooksUnreachable,
} from './payment-providers.ts'
import { gateways } from '../payments/gateways.ts'

const none: PaymentProviders = byMethod(() => [])
const live = parseConfig({ PAYMENTS: 'live', NOWPAYMENTS_API_KEY: 'key', CASHFREE_CLIENT_ID: 'id' })

it('a method without a provider names its missing keys', () => {
  expect(unusableMethods(live, none)).toEqual({
    paypal: 'PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID are missing',
    crypto: 'NOWPAYMENTS_IPN_SECRET is missing',
    upi: 'UPIGATEWAY_KEY is missing, or CASHFREE_CLIENT_SECRET',
  })
  expect(unusableMethods(parseConfig({ PAYMENTS: 'live' }), none).upi).toBe(
    'UPIGATEWAY_KEY is missing, or CASHFREE_CLIENT_ID and CASHFREE_CLIENT_SECRET',
  )
})

it('a live shop without any usable method does not start', () => {
  expect(() => assertTakesMoney(live, unusableMethods(live, none))).toThrow(
    /^PAYMENTS is live, but no payment method can take money .*NOWPAYMENTS_IPN_SECRET is missing/,
  )
  expect(() => assertTakesMoney({ ...live, ROLES: ['projector'] }, unusableMethods(live, none))).not.toThrow()
  expect(() => assertTakesMoney(live, { ...unusableMethods(live, none), upi: null })).not.toThrow()
  expect(() => assertTakesMoney(parseConfig({}), unusableMethods(live, none))).not.toThrow()
})

const isReached = (env: Record<string, string>) => webhooksUnreachable(parseConfig(env)) === undefined
const kindOf = (env: Record<string, string>) => kindOfPayments(parseConfig(env))

describe('a live shop', () => {
  const clock = { now: () => 0, sleep: async () => undefined }
  const keys = { PAYMENTS: 'live', NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'secret' }
  const open = (env: Record<string, string>) => providersFor(parseConfig(env), clock)

  it('a live shop takes crypto when its provider has all keys, and simulates no other method', () => {
    expect(open(keys).crypto[0]?.name).toBe('nowpayments')
    expect(open(keys)).toMatchObject({ paypal: [], upi: [] })
    expect(open({ ...keys, NOWPAYMENTS_IPN_SECRET: '' }).crypto).toEqual([])
    expect(() => assertTakesMoney(parseConfig(keys), unusableMethods(parseConfig(keys), open(keys)))).not.toThrow()
  })

  it('a live shop takes UPI by Cashfree when only that has its keys, and loads its script only then', () => {
    const own = { PAYMENTS: 'live', CASHFREE_CLIENT_ID: 'id', CASHFREE_CLIENT_SECRET: 'secret' }
    expect(open(own).upi.map(({ name }) => name)).toEqual(['cashfree'])
    expect(open({ ...own, UPIGATEWAY_KEY: 'key' }).upi.map(({ name }) => name)).toEqual(['upigateway', 'cashfree'])
    expect(windowsOf(parseConfig(own)).hosts).toContain('https://sdk.cashfree.com')
    expect(windowsOf(parseConfig({ ...own, CASHFREE_CLIENT_SECRET: '' })).hosts).toEqual([])
    expect(windowsOf(parseConfig({ ...own, PAYMENTS: 'sandbox' })).hosts).toEqual([])
  })

  it('a live shop takes PayPal when it has all three keys, and loads the script of the live or test side', () => {
    const own = {
      PAYMENTS: 'live',
      PAYPAL_CLIENT_ID: 'id',
      PAYPAL_CLIENT_SECRET: 'secret',
      PAYPAL_WEBHOOK_ID: 'WEBHOOK-1',
    }
    const sandbox = { ...own, PAYPAL_URL: 'https://api-m.sandbox.paypal.com' }
    const scriptOf = (env: Record<string, string>) => open(env).paypal[0]?.scriptUrl
    expect(open(own)).toMatchObject({ paypal: [{ name: 'paypal' }], crypto: [], upi: [] })
    expect(open({ ...own, PAYPAL_WEBHOOK_ID: '' }).paypal).toEqual([])
    expect(scriptOf(own)).toBe('https://www.paypal.com/web-sdk/v6/core')
    expect(scriptOf(sandbox)).toBe('https://www.sandbox.paypal.com/web-sdk/v6/core')
    const windows = { hosts: ['https://*.paypal.com', 'https://*.paypalobjects.com'], hasInlineStyles: true }
    expect(windowsOf(parseConfig(own))).toEqual(windows)
    expect(windowsOf(parseConfig(sandbox))).toEqual(windows)
    expect(windowsOf(parseConfig({ ...own, PAYPAL_WEBHOOK_ID: '' })).hosts).toEqual([])
    expect(windowsOf(parseConfig({ ...own, PAYMENTS: 'sandbox' })).hosts).toEqual([])
    expect(kindOf(own)).toBe('live')
    expect(kindOf(sandbox)).toBe('test')
  })

  it('a live shop knows whether webhooks reach it', () => {
    expect(isReached({})).toBe(true)
    expect(isReached(keys)).toBe(false)
    expect(isReached({ ...keys, PUBLIC_URL: 'https://shop.example' })).toBe(true)
    expect(isReached({ ...keys, NOWPAYMENTS_URL: 'http://127.0.0.1:4100/v1' })).toBe(true)
  })

  it("payments are a test when a provider's address is not its own", () => {
    expect(kindOf({})).toBe('sandbox')
    expect(kindOf(keys)).toBe('live')
    expect(kindOf({ ...keys, NOWPAYMENTS_URL: 'https://api-sandbox.nowpayments.io/v1' })).toBe('test')
    expect(kindOf({ ...keys, PAYPAL_URL: 'https://api-m.sandbox.paypal.com' })).toBe('live')
  })
})

const textOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

it('an unknown status of a provider is reported once', async () => {
  const double = await new NowPaymentsDouble().listen()
  const id = double.foreign({ reference: 'REFERENCE-1' })
  double.happen(id, { do: 'levitating' })
  const said: string[] = []
  const config = parseConfig({ PAYMENTS: 'live', ...double.env })
  const wire = { onUnknownStatus: (_provider: string, word: string) => said.push(word) }
  const [provider] = providersFor(config, systemClock, wire).crypto
  for (let turn = 0; turn < 2; turn += 1) await provider?.find?.(id)
  expect(said).toEqual(['levitating'])
  await double.stop()
})

it.each(Object.entries(gateways))("compose files and pages name a provider's variables: %s", (_name, { keys, url }) => {
  for (const file of ['docs/configuration.md', '.env.example', 'docker-compose.yml', 'docs/going-live.md'])
    for (const key of keys) expect(textOf(file), `${file} names ${key}`).toContain(key)
  expect(textOf('docs/configuration.md')).toContain(url)
})
