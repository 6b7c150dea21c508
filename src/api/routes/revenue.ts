import { readRevenue, type RevenueRow, type RevenueRows } from '../../projections/analytics.ts'
import type { Api } from '../api.ts'
import { viewsAt } from '../as-of/views-at.ts'
import { type Revenue, revenue } from '../contract/admin.ts'
import { asOfQuery } from '../contract/as-of.ts'
import { paymentMethod } from '../contract/order.ts'
import { type Route, staffRoute } from '../http/route.ts'

const DAYS_MAX = 366

export function revenueRoutes(api: Api): Route[] {
  return [
    staffRoute({
      id: 'getRevenue',
      method: 'get',
      path: '/api/admin/revenue',
      summary: 'Revenue by day and by method.',
      query: asOfQuery,
      answers: revenue,
      async handle(call) {
        const { views } = await viewsAt(api, call, call.query.asOf)
        return { body: revenueView(await readRevenue(views)) }
      },
    }),
  ]
}

function revenueView({ byDay, byMethod }: RevenueRows): Revenue {
  return {
    days: byDay.slice(-DAYS_MAX).map((row) => ({ day: row.key, ...figuresOf(row) })),
    methods: byMethod.map((row) => ({ method: paymentMethod.safeParse(row.key).data ?? null, ...figuresOf(row) })),
  }
}

function figuresOf({ revenueCents, completed }: RevenueRow) {
  return { revenue: revenueCents / 100, orders: completed }
}
