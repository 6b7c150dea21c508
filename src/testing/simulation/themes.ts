import type { ActionName } from './actions.ts'

/** What a shop's days are mostly about: rare ways need a world that leans towards them. */
export interface Theme {
  readonly name: string
  readonly more: Readonly<Partial<Record<ActionName, number>>>
  readonly stockM?: number
  readonly preOrders?: boolean
  readonly handover?: 'by-call' | 'by-staff'
  readonly ttlMinutes?: number
}

export const themes: readonly Theme[] = [
  { name: 'anything', more: {} },
  {
    name: 'late money',
    ttlMinutes: 1,
    more: { 'minutes-pass': 4, 'start-payment': 2, pay: 4, 'staff-delete': 0.2, 'hours-pass': 0.2, cancel: 0.5 },
  },
  {
    name: 'pre-orders',
    stockM: 0,
    preOrders: true,
    ttlMinutes: 30,
    more: {
      'start-payment': 2,
      pay: 4,
      'staff-stock': 5,
      'staff-pre-orders': 0,
      'staff-delete': 0.3,
      'days-pass': 0.2,
    },
  },
  {
    name: 'shared receipts',
    ttlMinutes: 30,
    handover: 'by-call',
    more: {
      place: 2,
      'start-payment': 3,
      pay: 4,
      'share-receipt': 6,
      reverse: 3,
      'staff-delete': 0.3,
      'days-pass': 0.3,
    },
  },
  {
    name: 'deliveries',
    ttlMinutes: 30,
    handover: 'by-call',
    more: { 'start-payment': 2, pay: 3, 'staff-approve': 2, 'a-deadline-comes': 3, reverse: 2 },
  },
  {
    name: 'one key, many requests',
    more: { place: 2, 'place-again': 10, 'start-payment': 0.3, 'minutes-pass': 2, 'staff-stock': 2 },
  },
  {
    name: 'old news',
    ttlMinutes: 1,
    more: {
      'days-pass': 12,
      webhook: 4,
      'send-news': 4,
      pay: 2,
      'start-payment': 2,
      sweep: 3,
      project: 3,
      'seconds-pass': 0.2,
      'staff-delete': 0.3,
      'staff-approve': 0.3,
    },
  },
]
