import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import {
  approved,
  chosen,
  completed,
  deleted,
  placed,
  received,
  refunded,
  requested,
} from '../domain/testing/order-samples.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { analyticsProjection, type RevenueDocument, type TotalsDocument } from '../projections/analytics.ts'
import { cleanFold, recorded } from '../projections/testing/clean-fold.ts'
import { salesHistories, shopHistories } from '../projections/testing/histories.ts'
import { averageCentsOf, conversionOf, type Figures, figuresFold, type Grouping, groupings } from './figures.ts'

const timeZone = 'Asia/Kolkata'

function foldOf(events: readonly RecordedEvent[]) {
  const fold = figuresFold({ timeZone, by: groupings })
  for (const event of events) if (fold.needs(event)) fold.see(event)
  return fold
}

const rowsOf = (by: Grouping, ...events: readonly ShopEvent[]) => foldOf(recorded(...events)).rows(by)
const none = { placed: 0, paid: 0, completed: 0, coinsM: 0, revenueCents: 0, refundedCents: 0, soldCents: 0 }
// In Kolkata it is February already.
const at = '2026-01-31T18:30:00.000Z'
const january = '2026-01-31T18:29:00.000Z'
const paid = [requested(1, 'upi'), received(1, 1000)]

describe('the figures', () => {
  it('count placing and payment on the day of placing, and revenue on the day of handing over', () => {
    expect(rowsOf('day', placed({ at: january }), ...paid, completed({ at }))).toEqual([
      { ...none, key: '2026-01-31', placed: 1, paid: 1 },
      { ...none, key: '2026-02-01', completed: 1, coinsM: 200, revenueCents: 1000, soldCents: 1000 },
    ])
  })

  it('count a refund in its own month, and a deletion where the order was counted', () => {
    const refund = refunded(400, { revenueCents: 300, at: '2026-03-15T00:00:00.000Z' })
    const sold = [placed({ at: january }), ...paid, completed({ at }), refund]
    expect(rowsOf('month', ...sold).slice(1)).toEqual([
      { ...none, key: '2026-02', completed: 1, coinsM: 200, revenueCents: 1000, soldCents: 1000 },
      { ...none, key: '2026-03', revenueCents: -300, refundedCents: 400 },
    ])
    expect(rowsOf('month', ...sold, deleted({ completedAt: at, totalCents: 700 }))).toEqual([
      { ...none, key: '2026-02', revenueCents: 300 },
      { ...none, key: '2026-03', revenueCents: -300, refundedCents: 400 },
    ])
  })

  it('count an order under the method that it has, with all that it brought', () => {
    expect(rowsOf('method', placed(), chosen('paypal'))).toEqual([{ ...none, key: 'paypal', placed: 1 }])
    expect(rowsOf('method', placed(), chosen('paypal'), ...paid, completed())).toEqual([
      {
        placed: 1,
        paid: 1,
        completed: 1,
        coinsM: 200,
        revenueCents: 1000,
        refundedCents: 0,
        soldCents: 1000,
        key: 'upi',
      },
    ])
    expect(rowsOf('method', placed())).toMatchObject([{ key: 'none' }])
  })

  it('sort packs and discounts as numbers', () => {
    const orders = [1000, 30, 200].map((quantityM) => placed({ orderId: `order-${quantityM}`, quantityM }))
    expect(rowsOf('pack', ...orders).map(({ key }) => key)).toEqual(['30', '200', '1000'])
  })

  it('take an approval for payment', () => {
    expect(foldOf(recorded(placed(), approved(), completed())).totals()).toMatchObject({ placed: 1, paid: 1 })
    expect(foldOf(recorded(placed(), requested(1, 'upi'), received(1, 999))).totals()).toMatchObject({ paid: 0 })
  })

  it('have no share and no average of nothing', () => {
    expect([conversionOf(none), averageCentsOf(none)]).toEqual([null, null])
    const some: Figures = { ...none, placed: 3, paid: 2, completed: 2, soldCents: 301 }
    expect([conversionOf(some), averageCentsOf(some)]).toEqual([2 / 3, 151])
  })
})

/** The dashboard's own view of these events. */
function dashboardOf(events: readonly RecordedEvent[]) {
  const documents = cleanFold(analyticsProjection({ timeZone }), events)
  const totals = documents.get('totals')?.body as TotalsDocument | undefined
  const [days, methods] = (['day', 'method'] as const).map((by) =>
    [...documents]
      .filter(([id]) => id.startsWith(`${by}-`))
      .map(([, { body }]) => body as RevenueDocument)
      .map((row) => ({ key: row[by], revenueCents: row.revenueCents, completed: row.completedOrders }))
      .filter(({ revenueCents, completed: count }) => revenueCents !== 0 || count !== 0)
      .toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1)),
  )
  return { totals: totals ?? { orders: 0, revenueCents: 0, coinsM: 0 }, day: days, method: methods }
}

describe('the figures of any history', () => {
  it('are those of the dashboard, however they are grouped', () => {
    fc.assert(
      fc.property(fc.oneof(shopHistories, salesHistories), (history) => {
        const events = recorded(...history)
        const { totals, ...revenue } = dashboardOf(events)
        const fold = foldOf(events)
        const figures = fold.totals()
        const { placed: orders, revenueCents, coinsM } = figures
        expect({ orders, revenueCents, coinsM }).toEqual(totals)
        for (const by of groupings) {
          const rows = fold.rows(by)
          const sums = Object.keys(none).map((name) => [
            name,
            rows.reduce((sum, row) => sum + row[name as keyof Figures], 0),
          ])
          expect(Object.fromEntries(sums)).toEqual(figures)
          expect(fold.rows(by)).toEqual(rows)
        }
        for (const by of ['day', 'method'] as const) {
          const booked = fold.rows(by).filter((row) => row.revenueCents !== 0 || row.completed !== 0)
          expect(
            booked.map(({ key, revenueCents: cents, completed: count }) => ({
              key,
              revenueCents: cents,
              completed: count,
            })),
          ).toEqual(revenue[by])
        }
      }),
    )
  })
})
