import { type FaultName, faultNames } from './faults.ts'

/** What happens most in a shop: rare cases need a world that favors them. */
export interface Theme {
  readonly name: string
  /** Replace what the seed draws. */
  readonly settings: Record<string, number | boolean | string>
  /** Factors of action weights. */
  readonly more: Record<string, number>
  /** Fixed rates of faults. */
  readonly rates: Partial<Record<FaultName, number>>
}

export const anything: Theme = { name: 'anything', settings: {}, more: {}, rates: {} }

/** Disables or reduces actions that add nothing to a theme. */
const quiet = `choose-method=0 share-receipt=0 fail-at-provider=0 place-again=0.3 follow=0.2 staff-price=0 staff-stock=0
  staff-pre-orders=0 seconds-pass=0.3 minutes-pass=0.1 hours-pass=0 days-pass=0 crash=0.3`

/** Under each name: settings (`:`), faults (`!`) and factors of action weights. */
export const themes: readonly Theme[] = `
late money
  ttlMinutes:1
  minutes-pass=4 start-payment=2 pay=4 staff-delete=0.2 hours-pass=0.2 cancel=0.5
the last coins, paid late
  stockM:2 quantityM:2 orders:1 actions:60 processes:2 preOrders:no ttlMinutes:1 favourite:upi parkedShare:0.1
  !stock-away=0.5 !provider-away=0
  quiet minutes-pass=8 place=3 start-payment=2 pay=1.5 sweep=2 project=2 webhook=2 staff-delete=0 staff-approve=0
  staff-settle=0.2
reserved again and again
  stockM:6 quantityM:2 orders:2 actions:60 processes:2 preOrders:no ttlMinutes:1 favourite:upi attentionShare:0.9
  parkedShare:0.25 !stock-away=0.2 !provider-away=0
  quiet minutes-pass=6 place=3 start-payment=2 pay=2 sweep=2 project=2 webhook=2 staff-delete=0 staff-approve=6
  staff-settle=0.2
staff and money
  ttlMinutes:1 orders:2 actions:60 favourite:crypto attentionShare:1 !provider-away=0 !stopped-thread=0.05
  quiet minutes-pass=3 hours-pass=0.5 place=2 start-payment=2 pay=2 webhook=3 reverse=1 staff-delete=5 staff-settle=8
  staff-approve=1
short of money
  ttlMinutes:30 orders:2 actions:60 favourite:crypto attentionShare:1 !provider-away=0
  quiet place=2 start-payment=1.5 pay=0.6 webhook=4 reverse=0 staff-delete=15 staff-settle=0 staff-approve=0
  cancel=0.2
pre-orders
  stockM:0 preOrders:yes ttlMinutes:30 !stock-away=0.2
  start-payment=2 pay=4 staff-stock=5 staff-pre-orders=0 staff-delete=0.3 days-pass=0.2
shared receipts
  ttlMinutes:30 deliveryMode:webhook
  place=2 start-payment=3 pay=4 share-receipt=6 reverse=3 staff-delete=0.3 days-pass=0.3
captures
  favourite:paypal stockM:6 ttlMinutes:30 parkedShare:0.02 orders:2 actions:160 eagerness:0.5 crowd:16
  attentionShare:1 patience:0.97 preOrders:no !capture-away=0.4 !capture-silent=0 !provider-away=0 !slow-calls=0.8
  quiet seconds-pass=1 place=3 start-payment=1 approve-at-provider=3 capture=1 a-deadline-comes=5 cancel=0.1
  staff-approve=1 staff-delete=90 staff-hand-over=0.1 staff-process=0 staff-settle=0 send-news=0 webhook=0.2 sweep=5
  project=1 pay=0
deliveries
  ttlMinutes:30 deliveryMode:webhook
  start-payment=2 pay=3 sweep=2 staff-approve=1.5 a-deadline-comes=3 reverse=4
unknown deliveries
  ttlMinutes:30 deliveryMode:webhook preOrders:no orders:2 actions:100 stockM:6 favourite:upi attentionShare:1
  patience:0.97 parkedShare:0.1 !bot-silent=0.95 !bot-away=0 !provider-away=0
  quiet place-again=0 place=4 cancel=0.05 start-payment=2 pay=2 webhook=2 sweep=3 project=3 a-deadline-comes=4
  reverse=1.5 staff-settle=0.2 staff-approve=0.3 staff-delete=20 staff-process=0.2
handing over by hand
  ttlMinutes:1 deliveryMode:staff preOrders:no orders:3 actions:80 stockM:6 favourite:upi attentionShare:0.3
  mistakenShare:0.05 !provider-away=0
  quiet place=3 start-payment=2 pay=2 webhook=3 sweep=3 project=3 a-deadline-comes=2 reverse=2 staff-hand-over=3
  staff-approve=0.5 staff-process=0.5 staff-delete=8 staff-settle=0.2
refunds
  ttlMinutes:1 preOrders:no orders:2 actions:80 stockM:6 favourite:upi attentionShare:0.9 !provider-away=0
  quiet minutes-pass=2 place=3 start-payment=2 pay=2 webhook=3 sweep=3 project=3 reverse=0.5 staff-refund=2
  staff-hand-over=2 staff-approve=1 staff-delete=1 staff-settle=1
changing modes
  ttlMinutes:1 modeChangeShare:0.8 preOrders:no processes:2 orders:3 actions:80 stockM:6 favourite:upi
  !provider-away=0 !crash=0.05
  quiet crash=2 place=3 start-payment=2 pay=2 webhook=3 sweep=4 project=4 a-deadline-comes=1 reverse=1
  change-delivery=4 staff-hand-over=2 staff-delete=2 staff-settle=0.2
late answers
  ttlMinutes:30 deliveryMode:webhook preOrders:no orders:2 actions:100 stockM:6 favourite:upi attentionShare:1
  patience:0.97 crowd:16 eagerness:0.5 parkedShare:0.02 mistakenShare:1 !bot-silent=0 !bot-away=0 !provider-away=0
  !stalls=0.9
  quiet place-again=0 place=4 cancel=0.05 start-payment=2 pay=2 webhook=2 sweep=3 project=3 a-deadline-comes=20
  staff-settle=0.2 staff-approve=0 staff-delete=60 staff-process=0
one key, many requests
  place=2 place-again=10 start-payment=0.3 minutes-pass=2 staff-stock=2
one key, slow requests
  stockM:6 orders:1 processes:2 actions:60 crowd:16 ttlMinutes:30 preOrders:no parkedShare:0.02 eagerness:0.5
  keyShare:1 !stopped-thread=0.02 !slow-vault=0.5 !vault-away=0
  quiet place-again=6 minutes-pass=4 crash=1 place=3 start-payment=0 sweep=4 project=4 staff-approve=0 staff-delete=0
  staff-process=0 cancel=0 webhook=0
old news
  ttlMinutes:1
  days-pass=12 webhook=4 send-news=4 pay=2 start-payment=2 sweep=3 project=3 seconds-pass=0.2 staff-delete=0.3
  staff-approve=0.3
news after the watch
  ttlMinutes:1 orders:3 actions:60 favourite:upi !provider-away=0 !stopped-thread=0.25 !shared-receipt=1
  quiet share-receipt=2 minutes-pass=2 days-pass=10 place=4 start-payment=3 a-deadline-comes=2 pay=0.4 send-news=0.5
  webhook=2 sweep=3 project=3 staff-delete=0.2 staff-approve=0.2 cancel=0.3
erasing
  mayErase:yes orders:5 stockM:6 ttlMinutes:1 deliveryMode:instant
  place=1.5 erase=6 cancel=4 staff-approve=3 start-payment=0.5 pay=0.5 staff-stock=0.3 days-pass=2 seconds-pass=0.5
ordering while being erased
  mayErase:yes orders:5 processes:2 actions:60 stockM:6 crowd:16 eagerness:0.5 ttlMinutes:30 preOrders:no
  deliveryMode:instant parkedShare:0.02 !slow-vault=0.4 !vault-away=0 !store-away=0
  quiet place=2 erase=8 cancel=6 staff-approve=1 start-payment=0.1 sweep=1 project=2 a-deadline-comes=0.2
money for erased persons
  mayErase:yes orders:2 actions:60 stockM:6 ttlMinutes:1 favourite:upi !provider-away=0
  quiet minutes-pass=3 days-pass=10 place=2 start-payment=2 a-deadline-comes=2 erase=6 send-news=2 webhook=3 sweep=3
  project=2 staff-approve=2 staff-settle=2 staff-delete=0.2 cancel=0.2
coins in every way
  coins:yes orders:3 actions:80 stockM:6 ttlMinutes:30 favourite:crypto preOrders:no attentionShare:1
  quiet fail-at-provider=0.5 days-pass=1 crash=1 place=3 start-payment=4 a-deadline-comes=2 sweep=2 project=2
  reverse=2 staff-hand-over=0.5 staff-delete=0.5 staff-approve=0.3 cancel=0.5
coins in every way, late
  coins:yes ttlMinutes:1 favourite:crypto !lost-reply=0.3
  start-payment=3 pay=2 minutes-pass=3 days-pass=4 sweep=2 project=2
disputes
  disputes:yes ttlMinutes:30 preOrders:no orders:2 actions:100 stockM:6 favourite:paypal attentionShare:0.9
  !provider-away=0 !capture-away=0
  quiet days-pass=0.3 place=3 start-payment=3 approve-at-provider=3 capture=3 a-deadline-comes=1 sweep=2 project=2
  reverse=0.3 staff-refund=0.3 staff-hand-over=0.3 staff-approve=0.3 staff-delete=1 staff-settle=0.5 staff-process=2
money that is only seen
  seen:yes ttlMinutes:1 preOrders:no orders:2 actions:80 stockM:6 attentionShare:0.9 !provider-away=0
  quiet minutes-pass=2 days-pass=2 crash=1 place=3 start-payment=4 pay=1 a-deadline-comes=2 sweep=3 project=3
  reverse=1 staff-refund=0.2 staff-hand-over=1 staff-approve=0.5 staff-delete=1 staff-settle=1
disputes after an approval
  disputes:yes seen:yes ttlMinutes:30 preOrders:no orders:2 actions:80 stockM:6 deliveryMode:webhook favourite:paypal
  attentionShare:1 !provider-away=0 !capture-away=0 !stopped-thread=0
  quiet place=3 start-payment=3 approve-at-provider=3 capture=3 pay=0 webhook=3 sweep=0.2 project=0.5 reverse=1
  seen-arrives=0 seen-ends=0 staff-approve=3 staff-refund=0 staff-delete=0 staff-settle=0
exact amounts
  amounts:yes orders:2 actions:80 stockM:6 ttlMinutes:1 favourite:crypto preOrders:no attentionShare:0.9
  !provider-away=0
  quiet minutes-pass=1 days-pass=1 crash=1 place=3 start-payment=4 pay=0.3 a-deadline-comes=2 sweep=2 project=2
  webhook=2 send-news=2 reverse=1 staff-refund=0.5 staff-hand-over=1 staff-approve=0.3 staff-delete=0.5 staff-settle=1
refunds that fail
  amounts:yes orders:2 actions:80 stockM:6 ttlMinutes:1 favourite:upi preOrders:no attentionShare:0.9 !provider-away=0
  quiet minutes-pass=1 days-pass=1 place=3 start-payment=4 pay=2 a-deadline-comes=2 sweep=2 project=2 webhook=2
  send-news=2 reverse=2 staff-refund=4 staff-hand-over=1 staff-approve=0.3 staff-delete=0.3 staff-settle=1 loosen=0.3
  withdraw=0.3
money that is withdrawn
  amounts:yes orders:2 actions:80 stockM:6 ttlMinutes:30 preOrders:no attentionShare:0.9 !provider-away=0
  !capture-away=0
  quiet days-pass=1 place=3 start-payment=4 pay=2 approve-at-provider=3 capture=3 a-deadline-comes=1 sweep=2 project=2
  webhook=4 send-news=4 staff-refund=0.3 staff-hand-over=1 staff-approve=0.3 staff-delete=0.3 staff-settle=1 loosen=2
  withdraw=4 amount-corrected=3
receipts without a number
  amounts:yes orders:4 actions:80 stockM:6 ttlMinutes:1 favourite:upi preOrders:no attentionShare:0.9 !provider-away=0
  quiet days-pass=2 place=4 start-payment=5 pay=1 a-deadline-comes=2 sweep=2 project=2 staff-refund=0.1
  staff-hand-over=0.5 staff-approve=0.3 staff-delete=0.3 staff-settle=1 fail-at-provider=1 pay-in-parts=0.3
  success-without-number=4 number-comes=3 withdraw=0.3 loosen=0.3 refund-at-provider=0.5 unknown-word=4
late answers after a refund
  mistakenRefunds:yes ttlMinutes:30 deliveryMode:webhook preOrders:no orders:2 actions:100 stockM:6 favourite:upi
  attentionShare:1 patience:0.97 crowd:16 eagerness:0.5 parkedShare:0.02 !bot-silent=0 !bot-away=0 !provider-away=0
  !stalls=0.9
  quiet place-again=0 place=4 cancel=0.05 start-payment=2 pay=2 webhook=2 sweep=3 project=3 a-deadline-comes=20
  staff-settle=0 staff-approve=2 staff-delete=0 staff-refund=30 staff-process=0
`
  .trim()
  .split(/\n(?! )/)
  .map(themeOf)

function themeOf(text: string): Theme {
  const [name = '', ...lines] = text.split('\n')
  const words = lines.join(' ').replace(' quiet ', ` ${quiet} `).trim().split(/\s+/)
  const theme: Theme = { name, settings: {}, more: {}, rates: {} }
  for (const word of words) {
    const [, mark, key = '', is, value = ''] = /^(!?)([A-Za-z-]+)([=:])([a-z\d.]+)$/.exec(word) ?? unknown(word)
    if (is === ':')
      theme.settings[key] = value === 'yes' || (value !== 'no' && (/\d/.test(value) ? Number(value) : value))
    else if (!mark) theme.more[key] = Number(value)
    else theme.rates[faultNames.find((fault) => fault === key) ?? unknown(word)] = Number(value)
  }
  return theme
}

function unknown(word: string): never {
  throw new Error(`a theme says '${word}', which is no setting, action or fault`)
}
