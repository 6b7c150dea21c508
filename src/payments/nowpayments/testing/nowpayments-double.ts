import { exactNumber, parseExactJson } from '../../exact-json.ts'
import { nowPaymentsSignature, signedTexts } from '../nowpayments-webhook.ts'
import { decimalText, plainDecimal } from '../../../domain/decimal.ts'
import { sandboxCoins, sandboxRates } from '../../sandbox/sandbox-rates.ts'
import {
  type Act,
  type DoubleCall,
  Double,
  json,
  permilleOf,
  type Played,
  Refused,
  type Reply,
  type Route,
} from '../../testing/double.ts'

interface NowPayment extends Played {
  readonly price: string
  readonly payAmount: string
  readonly coin: string
  readonly address: string
  readonly webhookUrl: string | undefined
  readonly parentId: string | null
  readonly childIds: string[]
  status: string
  paid: string
}

type Opened = Pick<NowPayment, 'reference' | 'price' | 'payAmount' | 'coin' | 'webhookUrl'>

const QUOTE_MS = 20 * 60_000
const VALID_MS = 7 * 24 * 3_600_000
const MINIMUM_CENTS = 102
/** Higher minimums, for networks with large fees. */
const minimumsCents: Readonly<Record<string, number>> = { usdterc20: 1_200 }
/** Acts that pay, in permille of the requested amount. `again` pays once more to the same address. */
const arriving: Readonly<Record<string, number>> = { pay: 1000, short: 500, over: 1100, again: 500 }
const rates = sandboxRates({ inrPerUsd: 86.5, minCents: MINIMUM_CENTS })

/** NOWPayments: openings are not idempotent, and any unknown word becomes the status. */
export class NowPaymentsDouble extends Double<'create' | 'check' | 'rates', NowPayment> {
  readonly keys = { apiKey: 'key-of-the-double', ipnSecret: 'secret-of-the-double' }
  /** The coins of the account. */
  coins: readonly string[] = sandboxCoins.map(({ code }) => code)
  /** A payment that may not be read. */
  hidden: string | undefined
  private lastId = 5_000_000_000
  protected readonly refusals = {
    '500': new Refused(500, 'INTERNAL_ERROR', 'Internal server error'),
    forbidden: new Refused(403, 'INVALID_API_KEY', 'Invalid api key'),
    unknown: new Refused(404, 'NOT_FOUND', 'Payment not found'),
    wrong: new Refused(400, 'INVALID_REQUEST_PARAMS', 'wrong'),
  }
  protected readonly routes: readonly Route<'create' | 'check' | 'rates'>[] = [
    ['create', 'post', '/v1/payment', async (asked) => this.created(asked)],
    ['check', 'get', '/v1/payment/:id', ({ id }) => this.read(id)],
    ['rates', 'get', '/v1/merchant/coins', () => json({ selectedCurrencies: this.coins.map((c) => c.toUpperCase()) })],
    ['rates', 'get', '/v1/estimate', async (asked) => estimate(asked)],
    ['rates', 'get', '/v1/min-amount', async (asked) => minimum(asked)],
  ]

  get url(): string {
    return `${this.origin}/v1`
  }

  get env() {
    const { apiKey, ipnSecret } = this.keys
    return { NOWPAYMENTS_URL: this.url, NOWPAYMENTS_API_KEY: apiKey, NOWPAYMENTS_IPN_SECRET: ipnSecret }
  }

  /** Opens a payment that the shop does not know. Returns its id. */
  foreign(given: { reference: string | null; price?: string; parentId?: string; coin?: string }): string {
    const { reference, price = '25.00', parentId, coin = 'ltc' } = given
    const opened = { reference, price, payAmount: '0.29411765', coin, webhookUrl: undefined }
    return this.open(opened, parentId === undefined ? undefined : this.known(parentId)).id
  }

  private open(given: Opened, parent?: NowPayment): NowPayment {
    this.lastId += 1
    const id = String(this.lastId)
    const address = parent?.address ?? `DOUBLE-SEND-NOTHING-${given.coin.toUpperCase()}-${id}`
    const state = { childIds: [], createdMs: this.now(), status: 'waiting', paid: '0' }
    parent?.childIds.push(id)
    return this.kept({ ...given, ...state, id, address, parentId: parent?.id ?? null })
  }

  protected become(named: NowPayment, { do: what, amount, coin = named.coin }: Act): NowPayment {
    const permille = arriving[what]
    // More money is its own payment that names only its parent, as in the provider's documentation.
    const payment = what === 'again' ? this.open({ ...named, reference: null, coin }, named) : named
    const hasMoney = permille !== undefined || amount !== undefined || /^(?:confirm|sending)/.test(what)
    if (hasMoney) payment.paid = amount ?? permilleOf(named.payAmount, permille ?? 1000)
    payment.status = permille === undefined ? what : what === 'short' ? 'partially_paid' : 'finished'
    return payment
  }

  private async created({ body }: DoubleCall): Promise<Reply> {
    const given = parseExactJson(body) as Record<string, string | undefined>
    const { price_amount = '', price_currency = '', pay_currency: coin = '' } = given
    const price = plainDecimal(price_amount) ?? '0'
    const payAmount = await rates.estimate({ amount: price, currency: price_currency }, coin)
    if (Number(payAmount) < Number(await minimumOf(coin)))
      throw new Refused(400, 'AMOUNT_MINIMAL_ERROR', `Crypto amount ${payAmount} is less than minimal`)
    const { order_id: reference = null, ipn_callback_url: webhookUrl } = given
    const payment = this.open({ reference, price, payAmount, coin, webhookUrl })
    return json({ ...shown(payment), payment_id: payment.id, ...times(payment) }, 201)
  }

  private read(id: string): Reply {
    if (!/^\d+$/.test(id)) throw new Refused(400, 'INVALID_REQUEST_PARAMS', 'Payment id must be a number')
    if (id === this.hidden) throw this.refusals.forbidden
    const payment = this.known(id)
    return json({ ...shown(payment), ...times(payment) })
  }

  protected authorize({ headers }: DoubleCall): void {
    if (headers['x-api-key'] !== this.keys.apiKey) throw this.refusals.forbidden
  }

  protected refusal({ status, code, message }: Refused): Reply {
    return json({ status: false, statusCode: status, code, message }, status)
  }

  protected override addressOf({ webhookUrl }: NowPayment): string | undefined {
    return this.webhookUrl ?? webhookUrl
  }

  protected news(payment: NowPayment): object {
    // The signature sorts nested keys, and writes numbers as JavaScript does.
    return { ...shown(payment), fee: { serviceFee: 0, depositFee: 1e-7 } }
  }

  protected override written(news: object): string {
    return signedTexts(Buffer.from(JSON.stringify(news)))[0] ?? ''
  }

  signed(body: string) {
    return { body, headers: { 'x-nowpayments-sig': nowPaymentsSignature(body, this.keys.ipnSecret) } }
  }
}

function shown(payment: NowPayment): object {
  const coin = sandboxCoins.find(({ code }) => code === payment.coin)
  return {
    payment_id: Number(payment.id),
    payment_status: payment.status,
    pay_address: payment.address,
    payin_extra_id: coin?.hasMemo ? payment.id.slice(-6) : null,
    price_amount: exactNumber(payment.price),
    price_currency: 'usd',
    pay_amount: exactNumber(payment.payAmount),
    actually_paid: exactNumber(payment.paid),
    pay_currency: payment.coin,
    order_id: payment.reference,
    network: coin?.network ?? payment.coin,
    payment_extra_ids: payment.childIds.length > 0 ? payment.childIds.map(Number) : null,
    parent_payment_id: payment.parentId === null ? null : Number(payment.parentId),
  }
}

function times({ createdMs }: NowPayment): object {
  const valid_until = new Date(createdMs + VALID_MS).toISOString()
  const expiration_estimate_date = new Date(createdMs + QUOTE_MS).toISOString()
  return { created_at: new Date(createdMs).toISOString(), expiration_estimate_date, valid_until }
}

async function estimate({ url: { searchParams } }: DoubleCall): Promise<Reply> {
  const [amount = '', currency = '', to = ''] = ['amount', 'currency_from', 'currency_to'].map(
    (name) => searchParams.get(name) ?? '',
  )
  const estimated = await rates.estimate({ amount, currency }, to)
  return json({ amount_from: exactNumber(amount), estimated_amount: exactNumber(estimated) })
}

async function minimum({ url: { searchParams } }: DoubleCall): Promise<Reply> {
  const coin = searchParams.get('currency_from') ?? ''
  return json({ min_amount: exactNumber(await minimumOf(coin)), fiat_equivalent: minimumCents(coin) / 100 })
}

function minimumCents(coin: string): number {
  return minimumsCents[coin] ?? MINIMUM_CENTS
}

async function minimumOf(coin: string): Promise<string> {
  const amount = decimalText({ units: BigInt(minimumCents(coin)), decimals: 2 })
  return rates.estimate({ amount, currency: 'usd' }, coin)
}
