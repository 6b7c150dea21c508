import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { BuyerTextName } from '../../domain/order/buyer-texts.ts'
import { MARKET_IDS_MAX, QUANTITY_MAX_M } from '../../domain/pricing.ts'
import { orderBody } from '../../testing/orders.ts'
import { loginRequest, passwordChange } from './admin.ts'
import { asOfQuery } from './as-of.ts'
import { orderListQuery } from './order-list-query.ts'
import { orderChange, orderCreate, orderDeleteQuery, pageQuery, refundCreate, attentionSettlement } from './order.ts'
import { cryptoPairQuery, cryptoPaymentCreate, upiOrderCreate } from './payment.ts'
import { productChange, productCreate } from './product.ts'
import { settingsChange } from './settings.ts'
import { updatesQuery } from './updates.ts'

interface Row {
  readonly schema: z.core.$ZodType
  /** A valid value. */
  readonly sample?: object
  /** By field: other valid values. */
  readonly takes?: Readonly<Record<string, readonly unknown[]>>
  /** By field: invalid values, with a problem at this field. */
  readonly refuses: Readonly<Record<string, readonly unknown[]>>
}

const orderId = '7f8d5c9e-0000-4000-8000-000000000001'
const customerInfo = { customerPhone: '9876543210' }
const marketIds = (count: number) => Array.from({ length: count }, () => ({ marketId: '12345678', amount: 50 }))

/** A text around each of these characters. */
const withEach = (hidden: string, end = '') => hidden.split('').map((one) => `a${one}sh${end}`)

const rows: Readonly<Record<string, Row>> = {
  'an order': {
    schema: orderCreate,
    sample: orderBody(),
    takes: {
      customerEmail: ['ann@gmail', ' <ann@x.test>', 'mailto:ann@x.test', '\u202aann@x.test\u202c'],
      marketId: ['12345678,', '1234-5678', '\u200e12345678\ufeff'],
      discordUsername: ['👩‍🚀', '❤️', '\u2068ash\u2069', 'می\u200cخواهم', 'Zoë'],
      totalAmount: [2.25, '-2.25', '1e2', 2.2500001],
      pokecoinAmount: [QUANTITY_MAX_M],
      marketIds: [marketIds(MARKET_IDS_MAX)],
    },
    refuses: {
      pokecoinAmount: [0, -5, 1.5, '50', null, QUANTITY_MAX_M + 1, Infinity],
      marketId: ['1234567', '123456789', 'abcdefgh'],
      marketIds: [[{ marketId: '1234567', amount: 50 }], marketIds(MARKET_IDS_MAX + 1)],
      customerEmail: [
        'ash.example.com',
        'ash@example,com',
        'ash@x..test',
        `${'a'.repeat(290)}@example.com`,
        ...withEach('\u200b\u2800\u200d\u0007', '@b'),
      ],
      discordUsername: [
        '   ',
        'a'.repeat(65),
        `ash${' '.repeat(62)}`,
        '\u200d',
        ...withEach('\u202e\u2800\u3164\u00ad\u2028\u2066\u0085\u2060'),
      ],
      totalAmount: ['free', '', ' ', 'NaN', 'Infinity', null, Infinity, { cents: 225 }],
      paymentMethod: ['cash'],
      isAdmin: [true],
    } satisfies Row['refuses'] & Record<BuyerTextName, unknown>,
  },
  'a change of an order': {
    schema: orderChange,
    sample: { paymentMethod: 'upi' },
    refuses: { paymentMethod: [undefined], status: ['completed'], totalAmount: ['0.01'], paidCents: [225] },
  },
  'a refund': {
    schema: refundCreate,
    sample: { revision: 3, amountCents: 25, reason: 'other' },
    takes: { whereTo: [' ltc1qash '], receiptId: ['one'], coinsGiven: [true] },
    refuses: {
      amountCents: [0, 1.5, -1, 1e18],
      reason: ['because'],
      whereTo: ['x'.repeat(501), 'hid\u202Eden'],
      revision: [-1],
      also: [1],
    },
  },
  settling: {
    schema: attentionSettlement,
    sample: { revision: 0, reason: 'to-pay-back' },
    refuses: { revision: [undefined, -1], reason: [undefined, 'because'] },
  },
  deleting: {
    schema: orderDeleteQuery,
    takes: { coinsGiven: ['true', 'false'], revision: ['0', '12'] },
    refuses: { coinsGiven: ['maybe'], revision: ['-1', 'x', '1.5', ''] },
  },
  'the list': {
    schema: orderListQuery,
    takes: { search: ['ash'], from: ['2026-01-31', '2026-01-31T10:00:00.000Z'], limit: ['1', '100'] },
    refuses: {
      limit: ['0', '101', 'x'],
      status: ['nonsense', ['pending', 'failed']],
      sort: ['price'],
      from: ['yesterday'],
      search: ['x'.repeat(255)],
      cursor: ['x'.repeat(501)],
      colour: ['red'],
    },
  },
  'a page': { schema: pageQuery, takes: { limit: ['1'] }, refuses: { limit: ['101', 'x'], cursor: ['x'.repeat(501)] } },
  'a day': { schema: asOfQuery, takes: { asOf: ['2026-01-31'] }, refuses: { asOf: ['31.01.2026'] } },
  'the settings': {
    schema: settingsChange,
    takes: {
      basePricePerMillion: [0.1],
      currentStock: [0],
      upiGateway: ['cashfree'],
      shopName: ['', ' Zoë’s <coins> & "more" ', '👩‍🚀', 'n'.repeat(60)],
      sellerAddress: ['1 Market Road, Kochi 682001, India'],
      discordDmUrl: ['', ' https://discord.com/users/1 ', 'https://x.test:8443/a?b=c&d=%20#e'],
      supportEmail: ['', 'help@shop.test', ' <help@shop.test>'],
      priceConfirmed: [true],
      firstDayDismissed: [true, false],
    },
    refuses: {
      basePricePerMillion: [0.055, -1, 1000.01, '0.05'],
      bulkDiscountPercent: [101, 0.5],
      pack1Amount: [0],
      pack1Discount: [-1],
      paypalEnabled: ['yes'],
      currentStock: [-1, 1.5],
      revision: ['3'],
      shopName: ['n'.repeat(61), '\u200d', ...withEach('\u202e\u2028\n\u0000')],
      coinName: ['n'.repeat(41), null, 5],
      sellerTaxNumber: ['\u00a0'.repeat(41)],
      sellerLine: ['two\nlines', 'n'.repeat(201)],
      discordDmUrl: [
        'http://discord.com/users/1',
        'discord.gg/a',
        'javascript:alert(1)',
        'https://user:pass@discord.com/',
        'https://localhost/',
        'https://10.0.0.1/',
        'https://a.test/ b',
        'https://a.test/"',
        `https://a.test/${'a'.repeat(300)}`,
      ],
      supportEmail: ['help at shop', 'help@', 'a\u200b@b.test', `${'a'.repeat(250)}@b.test`],
      priceConfirmed: [false],
      unknown: [true],
    },
  },
  'a product': {
    schema: productCreate,
    sample: { name: 'Starter', pokecoinAmount: 10 },
    refuses: {
      name: ['', 'n'.repeat(81), `n${' '.repeat(80)}`, undefined],
      pokecoinAmount: [0],
      imageUrl: ['https://example.com/a.png'],
      price: ['0.01'],
    },
  },
  'a change of a product': { schema: productChange, takes: { active: [false] }, refuses: { position: [-1] } },
  'a login': {
    schema: loginRequest,
    sample: { email: 'a', password: 'b' },
    refuses: { email: [' '], password: ['', 'x'.repeat(1_001)] },
  },
  'a change of the password': {
    schema: passwordChange,
    sample: { currentPassword: 'one', newPassword: 'ten letters' },
    refuses: { newPassword: ['nine lett'] },
  },
  'a crypto payment': {
    schema: cryptoPaymentCreate,
    sample: { orderId, amount: '2.25' },
    takes: { payCurrency: [' LTC '] },
    refuses: { payCurrency: ['lite coin'], orderId: ['none'], amount: [null] },
  },
  'a rate': {
    schema: cryptoPairQuery,
    sample: { currency_from: 'usd' },
    takes: { amount: ['2.25'] },
    refuses: { currency_from: [undefined, '<b>'], amount: ['-1', '1e9', ''] },
  },
  'a payment by UPI': {
    schema: upiOrderCreate,
    sample: { orderId, amount: '2.25', customerInfo },
    refuses: { customerInfo: [{ customerPhone: '98765' }, {}, { ...customerInfo, more: 1 }] },
  },
  updates: { schema: updatesQuery, takes: { topics: ['pricing,staff'] }, refuses: { topics: ['nothing'] } },
}

const cases = (fields: Row['refuses'] = {}) =>
  Object.entries(fields).flatMap(([field, values]) => values.map((value): [string, unknown] => [field, value]))

describe.each(Object.entries(rows))('the schema of %s', (_, { schema, sample, takes, refuses }) => {
  it('the schema accepts valid values', () => {
    expect(z.safeParse(schema, { ...sample }).success).toBe(true)
    for (const [field, value] of cases(takes)) z.parse(schema, { ...sample, [field]: value })
  })

  it.each(cases(refuses))('the schema rejects as %s: %j', (field, value) => {
    const { error } = z.safeParse(schema, { ...sample, [field]: value })
    const fields = error?.issues.flatMap((issue) => issue.path[0] ?? ('keys' in issue ? issue.keys : []))
    expect(fields).toContain(field)
  })
})
