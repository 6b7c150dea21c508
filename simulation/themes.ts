import type { FaultName } from './faults.ts'

/** What happens most in a shop: rare cases need a world that favors them. */
export interface Theme {
  /** Replace what the seed draws (config.ts). */
  readonly settings: Readonly<Record<string, number | boolean | string>>
  /** Factors of the weights of actions. */
  readonly more: Readonly<Record<string, number>>
  /** Fixed rates of faults. */
  readonly rates?: Readonly<Partial<Record<FaultName, number>>>
}

/** Fewer of the actions that add nothing to a theme. */
const quiet = {
  'choose-method': 0,
  'share-receipt': 0,
  'fail-at-provider': 0,
  'place-again': 0.3,
  follow: 0.2,
  'staff-price': 0,
  'staff-stock': 0,
  'staff-pre-orders': 0,
  'seconds-pass': 0.3,
  'minutes-pass': 0.1,
  'hours-pass': 0,
  'days-pass': 0,
  crash: 0.3,
}
const selling = { ...quiet, place: 3, 'start-payment': 2, pay: 2, webhook: 3, sweep: 3, project: 3 }
/** Staff do it, but seldom. */
const littleStaff = { 'staff-approve': 0.3, 'staff-delete': 0.3, 'staff-settle': 0.2, 'staff-refund': 0.3 }

const small = { preOrders: false, orders: 2, actions: 80, stockM: 6, attentionShare: 0.9 }
const brief = { ...small, ttlMinutes: 1, favourite: 'upi' }
const byBot = { ...small, ttlMinutes: 30, favourite: 'upi', deliveryMode: 'webhook' }
/** Many calls at a time. */
const crowded = { crowd: 16, eagerness: 0.5 }
/** Exact amounts, with a bank that corrects, withdraws and refunds them. */
const exact = { ...small, ttlMinutes: 1, amounts: true }

const reached = { 'provider-away': 0 }
const exactSelling = { ...selling, 'start-payment': 4, 'send-news': 2, 'days-pass': 1, ...littleStaff }

export const anything = 'anything'

export const themes: Readonly<Record<string, Theme>> = {
  [anything]: { settings: {}, more: {} },
  'late money': {
    settings: { ttlMinutes: 1 },
    more: { 'minutes-pass': 4, 'start-payment': 2, pay: 4, 'staff-delete': 0.2, 'hours-pass': 0.2, cancel: 0.5 },
  },
  'the last coins, paid late': {
    settings: { ...brief, stockM: 2, quantityM: 2, orders: 1, processes: 2, parkedShare: 0.1 },
    rates: { ...reached, 'stock-away': 0.5 },
    more: { ...selling, 'minutes-pass': 8, 'staff-delete': 0, 'staff-approve': 0, 'staff-settle': 0.2 },
  },
  'reserved again and again': {
    settings: { ...brief, quantityM: 2, processes: 2, parkedShare: 0.25 },
    rates: { ...reached, 'stock-away': 0.2 },
    more: { ...selling, 'minutes-pass': 6, 'staff-delete': 0, 'staff-approve': 6, 'staff-settle': 0.2 },
  },
  'staff and money': {
    settings: { ...brief, favourite: 'crypto', attentionShare: 1 },
    rates: { ...reached, 'stopped-thread': 0.05 },
    more: { ...selling, 'minutes-pass': 3, 'hours-pass': 0.5, reverse: 1, 'staff-delete': 5, 'staff-settle': 8 },
  },
  'short of money': {
    settings: { ...brief, ttlMinutes: 30, favourite: 'crypto', attentionShare: 1 },
    rates: reached,
    more: { ...selling, pay: 0.6, reverse: 0, 'staff-delete': 15, 'staff-settle': 0, 'staff-approve': 0, cancel: 0.2 },
  },
  'pre-orders': {
    settings: { stockM: 0, preOrders: true, ttlMinutes: 30 },
    rates: { 'stock-away': 0.2 },
    more: { 'start-payment': 2, pay: 4, 'staff-stock': 5, 'staff-pre-orders': 0, 'staff-delete': 0.3 },
  },
  'shared receipts': {
    settings: { ttlMinutes: 30, deliveryMode: 'webhook' },
    more: { place: 2, 'start-payment': 3, pay: 4, 'share-receipt': 6, reverse: 3, 'staff-delete': 0.3 },
  },
  captures: {
    settings: { ...small, ttlMinutes: 30, favourite: 'paypal', actions: 160, ...crowded, attentionShare: 1 },
    rates: { ...reached, 'capture-away': 0.4, 'capture-silent': 0, 'slow-calls': 0.8 },
    more: { ...selling, pay: 0, 'approve-at-provider': 3, 'a-deadline-comes': 5, 'staff-delete': 90 },
  },
  deliveries: {
    settings: { ttlMinutes: 30, deliveryMode: 'webhook' },
    more: { 'start-payment': 2, pay: 3, sweep: 2, 'staff-approve': 1.5, 'a-deadline-comes': 3, reverse: 4 },
  },
  'unknown deliveries': {
    settings: { ...byBot, actions: 100, attentionShare: 1, patience: 0.97, parkedShare: 0.1 },
    rates: { ...reached, 'bot-silent': 0.95, 'bot-away': 0 },
    more: { ...selling, ...littleStaff, cancel: 0.05, 'a-deadline-comes': 4, reverse: 1.5, 'staff-delete': 20 },
  },
  'handing over by hand': {
    settings: { ...brief, orders: 3, deliveryMode: 'staff', attentionShare: 0.3, mistakenShare: 0.05 },
    rates: reached,
    more: { ...selling, 'a-deadline-comes': 2, reverse: 2, 'staff-hand-over': 3, 'staff-delete': 8 },
  },
  refunds: {
    settings: brief,
    rates: reached,
    more: { ...selling, 'minutes-pass': 2, reverse: 0.5, 'staff-refund': 2, 'staff-hand-over': 2 },
  },
  'changing modes': {
    settings: { ...brief, orders: 3, processes: 2, modeChangeShare: 0.8 },
    rates: { ...reached, crash: 0.05 },
    more: { ...selling, crash: 2, 'change-delivery': 4, 'staff-hand-over': 2, 'staff-delete': 2 },
  },
  'late answers': {
    settings: { ...byBot, attentionShare: 1, patience: 0.97, ...crowded, mistakenShare: 1 },
    rates: { ...reached, 'bot-silent': 0, 'bot-away': 0, stalls: 0.9 },
    more: { ...selling, place: 4, cancel: 0.05, 'a-deadline-comes': 20, 'staff-approve': 0, 'staff-delete': 60 },
  },
  'one key, many requests': {
    settings: {},
    more: { place: 2, 'place-again': 10, 'start-payment': 0.3, 'minutes-pass': 2, 'staff-stock': 2 },
  },
  'one key, slow requests': {
    settings: { ...brief, orders: 1, processes: 2, crowd: 16, ttlMinutes: 30, eagerness: 0.5, keyShare: 1 },
    rates: { 'stopped-thread': 0.02, 'slow-vault': 0.5, 'vault-away': 0 },
    more: { ...quiet, place: 3, 'place-again': 6, 'minutes-pass': 4, 'start-payment': 0, sweep: 4, project: 4 },
  },
  'old news': {
    settings: { ttlMinutes: 1 },
    more: { 'days-pass': 12, webhook: 4, 'send-news': 4, pay: 2, 'start-payment': 2, sweep: 3, project: 3 },
  },
  'news after the watch': {
    settings: { ...brief, orders: 3 },
    rates: { ...reached, 'stopped-thread': 0.25, 'shared-receipt': 1 },
    more: { ...selling, 'share-receipt': 2, 'minutes-pass': 2, 'days-pass': 10, pay: 0.4, ...littleStaff },
  },
  erasing: {
    settings: { mayErase: true, orders: 5, stockM: 6, ttlMinutes: 1, deliveryMode: 'instant' },
    more: { erase: 6, cancel: 4, 'staff-approve': 3, 'start-payment': 0.5, pay: 0.5, 'staff-stock': 0.3 },
  },
  'ordering while being erased': {
    settings: { ...small, mayErase: true, orders: 5, processes: 2, ...crowded, deliveryMode: 'instant' },
    rates: { 'slow-vault': 0.4, 'vault-away': 0, 'store-away': 0 },
    more: { ...quiet, place: 2, erase: 8, cancel: 6, 'start-payment': 0.1, project: 2, 'a-deadline-comes': 0.2 },
  },
  'money for erased persons': {
    settings: { ...brief, mayErase: true },
    rates: reached,
    more: { ...selling, 'minutes-pass': 3, 'days-pass': 10, erase: 6, 'send-news': 2, 'staff-approve': 2, cancel: 0.2 },
  },
  'coins in every way': {
    settings: { ...small, coins: true, orders: 3, ttlMinutes: 30, favourite: 'crypto', attentionShare: 1 },
    more: { ...selling, 'fail-at-provider': 0.5, 'start-payment': 4, 'days-pass': 1, crash: 1, reverse: 2 },
  },
  'coins in every way, late': {
    settings: { coins: true, ttlMinutes: 1, favourite: 'crypto' },
    rates: { 'lost-reply': 0.3 },
    more: { 'start-payment': 3, pay: 2, 'minutes-pass': 3, 'days-pass': 4, sweep: 2, project: 2 },
  },
  disputes: {
    settings: { ...small, disputes: true, ttlMinutes: 30, actions: 100, favourite: 'paypal' },
    rates: { ...reached, 'capture-away': 0 },
    more: { ...selling, ...littleStaff, 'approve-at-provider': 3, capture: 3, 'days-pass': 0.3, 'staff-process': 2 },
  },
  'disputes after an approval': {
    settings: { ...byBot, disputes: true, seen: true, favourite: 'paypal', attentionShare: 1 },
    rates: { ...reached, 'capture-away': 0, 'stopped-thread': 0 },
    more: { ...selling, 'approve-at-provider': 3, capture: 3, pay: 0, sweep: 0.2, project: 0.5, 'staff-approve': 3 },
  },
  'money that is only seen': {
    settings: { ...small, seen: true, ttlMinutes: 1 },
    rates: reached,
    more: { ...selling, 'minutes-pass': 2, 'days-pass': 2, crash: 1, 'start-payment': 4, pay: 1, 'staff-refund': 0.2 },
  },
  'exact amounts': {
    settings: { ...exact, favourite: 'crypto' },
    rates: reached,
    more: { ...exactSelling, pay: 0.3, 'minutes-pass': 1, crash: 1, reverse: 1, 'staff-settle': 1 },
  },
  'refunds that fail': {
    settings: { ...exact, favourite: 'upi' },
    rates: reached,
    more: { ...exactSelling, 'minutes-pass': 1, reverse: 2, 'staff-refund': 4, 'staff-settle': 1, withdraw: 0.3 },
  },
  'money that is withdrawn': {
    settings: { ...exact, ttlMinutes: 30 },
    rates: { ...reached, 'capture-away': 0 },
    more: { ...exactSelling, 'approve-at-provider': 3, capture: 3, loosen: 2, withdraw: 4, 'amount-corrected': 3 },
  },
  'receipts without a number': {
    settings: { ...exact, orders: 4, favourite: 'upi' },
    rates: reached,
    more: { ...exactSelling, pay: 1, 'success-without-number': 4, 'number-comes': 3, 'unknown-word': 4, withdraw: 0.3 },
  },
}

const sending = {
  ...selling,
  ...littleStaff,
  'start-payment': 4,
  'a-deadline-comes': 2,
  crash: 1,
  'staff-hand-over': 2,
}

/** No seed draws them, so that all other worlds stay the same. */
export const themesByName: Readonly<Record<string, Theme>> = {
  'sent refunds': {
    settings: { ...small, sends: true, ttlMinutes: 30, actions: 120, favourite: 'upi' },
    rates: { 'lost-reply': 0.3, 'provider-away': 0.1, 'slow-calls': 0.3 },
    more: { ...sending, pay: 3, reverse: 0.3 },
  },
  'sent refunds, half by hand': {
    settings: { ...exact, sends: true, ttlMinutes: 30, actions: 120, favourite: 'upi' },
    rates: { ...reached, 'lost-reply': 0.2 },
    more: {
      ...sending,
      'refund-at-provider': 2,
      withdraw: 0.2,
      loosen: 0.2,
      'amount-corrected': 0.2,
      'staff-refund': 2,
    },
  },
  'sent refunds, disputed': {
    settings: { ...small, sends: true, disputes: true, ttlMinutes: 30, actions: 120, favourite: 'paypal' },
    rates: { ...reached, 'capture-away': 0, 'lost-reply': 0.1 },
    more: { ...sending, 'approve-at-provider': 3, capture: 3, 'dispute-opens': 0.3, 'staff-process': 2 },
  },
  messages: {
    settings: { ...small, messages: true, ttlMinutes: 30, actions: 120, favourite: 'upi' },
    rates: { ...reached, 'bot-silent': 0 },
    more: {
      ...selling,
      ...littleStaff,
      'a-deadline-comes': 0,
      'staff-hand-over': 2,
      crash: 4,
      'staff-refund': 1,
      erase: 0.3,
    },
  },
}
