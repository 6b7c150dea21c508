import { hasSession } from '../../domain/admin/admin.ts'
import { logBeganAt } from '../../shop/log-head.ts'
import { nowText } from '../../shop/shop.ts'
import type { Api } from '../api.ts'
import type { Hold } from '../as-of/past-days.ts'
import type { Folded, RevenueRow, RevenueRows } from '../as-of/past-views.ts'
import { progressOf } from '../as-of/progress.ts'
import { viewsAt } from '../as-of/views-at.ts'
import { type Revenue, revenue, type RevenueState, revenueState } from '../contract/admin.ts'
import { asOfQuery, type Progress } from '../contract/as-of.ts'
import { paymentMethod } from '../contract/order.ts'
import { type Route, staffRoute } from '../http/route.ts'
import { tellProgress } from '../updates/tell-progress.ts'

const DAYS_MAX = 366

export function revenueRoutes(api: Api): Route[] {
  const { hub, pastDays, shop } = api
  return [
    staffRoute({
      method: 'get',
      path: '/api/admin/revenue',
      summary: 'Revenue by day and by method, added up from the whole log: this may take seconds.',
      query: asOfQuery,
      answers: revenue,
      async handle(call) {
        const { past } = await viewsAt(api, call)
        return { body: revenueView(past ? await past.revenue() : await api.revenue({ signal: call.signal })) }
      },
    }),

    staffRoute({
      method: 'get',
      path: '/api/admin/revenue/progress',
      summary: 'Server-sent events: how far the log is added up, then the same revenue. Closing it ends the work.',
      query: asOfQuery,
      answers: revenueState,
      answersType: 'text/event-stream',
      async handle({ query: { asOf }, session: { sessionId }, networks: [address], signal }) {
        const read = asOf === undefined ? await ofNow(api, signal) : ofPast(await pastDays.hold(asOf, signal))
        const isSessionOpen = (): boolean => hasSession(shop.hot.admin.state, sessionId, nowText(shop))
        return {
          stream(response) {
            hub.open(response, { address, topics: new Set(), isSessionOpen })
            const { rows, progress } = read()
            void tellProgress<RevenueState, RevenueRows>(response, {
              progress: () => ({ is: 'adding', ...progress() }),
              done: rows,
              finish: (done, say) => say({ is: 'ready', revenue: revenueView(done) }),
            })
          },
        }
      },
    }),
  ]
}

/** Begins when it is called. */
type Reading = () => { readonly rows: Promise<RevenueRows>; readonly progress: () => Progress }

async function ofNow({ shop, revenue: read }: Api, signal: AbortSignal): Promise<Reading> {
  const beforeMs = shop.clock.now()
  const fromMs = (await logBeganAt(shop.log)) ?? beforeMs
  return () => {
    let reached: Folded | undefined
    const rows = read({ signal, onProgress: (now) => (reached = now) })
    return { rows, progress: () => progressOf(reached, { fromMs, beforeMs }) }
  }
}

function ofPast(hold: Hold): Reading {
  return () => ({ rows: hold.folded.then(async (past) => past.revenue()), progress: () => hold.reached() })
}

function revenueView({ byDay, byMethod }: RevenueRows): Revenue {
  const days = byDay.filter(hasFigure).slice(-DAYS_MAX)
  return {
    days: days.map((row) => ({ day: row.key, ...figuresOf(row) })),
    methods: byMethod.filter(hasFigure).map((row) => ({
      method: paymentMethod.safeParse(row.key).data ?? null,
      ...figuresOf(row),
    })),
  }
}

function hasFigure({ completed, revenueCents }: RevenueRow): boolean {
  return completed > 0 || revenueCents !== 0
}

function figuresOf({ revenueCents, completed }: RevenueRow) {
  return { revenue: revenueCents / 100, orders: completed }
}
