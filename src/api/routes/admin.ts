import { changeAdminPassword } from '../../commands/admin-password.ts'
import { BLOCK_STAYS, eraseCustomer } from '../../commands/erase-customer.ts'
import { endSessions, logInAdmin, SESSION_HOURS } from '../../commands/log-in-admin.ts'
import { assertAllReadable } from '../../shop/known-buyers.ts'
import { nowText } from '../../shop/command-context.ts'
import { analyticsOf } from '../../projections/analytics.ts'
import { knownOrders } from '../../projections/known-orders.ts'
import { newestOrders } from '../../projections/orders.ts'
import { readUndelivered } from '../../projections/to-deliver.ts'
import type { Api } from '../api.ts'
import { viewsAt } from '../as-of/views-at.ts'
import { assertStaff, SESSION_COOKIE } from '../auth/require-admin.ts'
import { placeOf } from '../auth/session-place.ts'
import {
  analytics,
  eraseRequest,
  eraseResponse,
  loginRequest,
  loginResponse,
  logoutRequest,
  passwordChange,
  verifyResponse,
} from '../contract/admin.ts'
import { asOfQuery } from '../contract/as-of.ts'
import { done } from '../contract/order.ts'
import { BROWSER_COOKIE, cookieText, COOKIE_LIFETIME_S } from '../http/cookies.ts'
import { orderViews } from '../mappers/order-answers.ts'
import { type Route, route, sentenceBody, staffRoute } from '../http/route.ts'

const RECENT_ORDERS = 5

export function adminRoutes(api: Api): Route[] {
  return [...sessionRoutes(api), ...ownerRoutes(api)]
}

function cookiesOf({ context, knownBrowsers, isSecure }: Api) {
  const own = { sameSite: 'Strict', isSecure } as const
  const session = (value: string, maxAgeS: number): string => cookieText(SESSION_COOKIE, value, { maxAgeS, ...own })
  const browser = (id: string = context.random.uuid()): string =>
    cookieText(BROWSER_COOKIE, `${id}.${knownBrowsers.sign(id)}`, { maxAgeS: COOKIE_LIFETIME_S, ...own })
  return { session, browser, noCookie: { 'Set-Cookie': session('', 0) } }
}

function sessionRoutes(api: Api): Route[] {
  const { context } = api
  const { session, browser, noCookie } = cookiesOf(api)
  return [
    route({
      id: 'logIn',
      method: 'post',
      path: '/api/admin/login',
      summary: 'Begin a session.',
      body: loginRequest,
      answers: loginResponse,
      async handle(call) {
        const { body, caller } = call
        await api.loginLimit.count(call, body.email)
        const beganAt = nowText(context)
        const isKnownBrowser = call.browserId !== undefined
        const { adminId, sessionId, position } = await logInAdmin(context, caller, { ...body, isKnownBrowser })
        await api.loginLimit.reset(call)
        await api.sessionSeen(sessionId, placeOf(call))
        const token = await api.tokens.sign({ adminId, sessionId, beganAt })
        const answer = { success: true, token, message: 'Successfully logged in as admin' }
        return {
          body: answer,
          position,
          headers: { 'Set-Cookie': [session(token, SESSION_HOURS * 3_600), browser(call.browserId)] },
        }
      },
    }),

    route({
      id: 'logOut',
      method: 'post',
      path: '/api/admin/logout',
      summary: 'End the session.',
      body: logoutRequest,
      answers: done,
      async handle({ caller, session }) {
        const body = sentenceBody('Successfully logged out')
        if (!session) return { body, headers: noCookie }
        return { body, position: await endSessions(context, caller, [session.sessionId]), headers: noCookie }
      },
    }),

    route({
      id: 'getSession',
      method: 'get',
      path: '/api/admin/verify',
      summary: 'Whether there is a session; 401 when it has ended.',
      answers: verifyResponse,
      async handle({ sessionCheck }) {
        // No token: 200 with authenticated false. An ended session: 401 with the reason.
        if (sessionCheck.hasToken) assertStaff(sessionCheck)
        return { body: { authenticated: sessionCheck.session !== undefined } }
      },
    }),

    staffRoute({
      id: 'changePassword',
      method: 'post',
      path: '/api/admin/password',
      needs: 'fresh-session',
      summary: 'Change the password; every session ends.',
      body: passwordChange,
      answers: done,
      async handle(call) {
        await api.loginLimit.count(call, call.session.adminId)
        const position = await changeAdminPassword(context, call.caller, call.body)
        await api.loginLimit.reset(call)
        return {
          body: sentenceBody('The password was changed. Please log in again.'),
          position,
          headers: noCookie,
        }
      },
    }),
  ]
}

function ownerRoutes(api: Api): Route[] {
  const { context } = api
  // Caches the number of customers.
  const figuresNow = analyticsOf(api.views)
  return [
    staffRoute({
      id: 'eraseCustomer',
      method: 'post',
      path: '/api/admin/erase-customer',
      needs: 'fresh-session',
      summary: 'Erase a person; refused while an order still needs its buyer.',
      body: eraseRequest,
      answers: eraseResponse,
      async handle({ body, caller, session }) {
        await assertAllReadable(context)
        const request = { email: body.email, adminId: session.adminId, known: knownOrders(api.views) }
        const { isErased, isBlocked, position } = await eraseCustomer(context, caller, request)
        const message = isErased
          ? `This person was erased.${isBlocked ? ` ${BLOCK_STAYS}` : ''}`
          : 'An order of somebody is just being placed. Erasing goes on by itself in a few minutes.'
        return { body: { success: true, erased: isErased, message }, position }
      },
    }),

    staffRoute({
      id: 'getAnalytics',
      method: 'get',
      path: '/api/admin/analytics',
      summary: 'Revenue, orders, coins and customers.',
      query: asOfQuery,
      answers: analytics,
      async handle(call) {
        const { views, past } = await viewsAt(api, call, call.query.asOf)
        const [figures, recent, undelivered] = await Promise.all([
          past ? analyticsOf(views)() : figuresNow(),
          newestOrders(views, RECENT_ORDERS),
          readUndelivered(views),
        ])
        const { openM } = past ?? context.hot.inventory.state
        return {
          body: {
            totalRevenue: figures.revenueCents / 100,
            totalOrders: figures.orders,
            totalPokecoins: figures.coinsM,
            totalCustomers: figures.customers,
            monthlyRevenue: figures.months.map(({ key, revenueCents }) => ({
              month: key,
              revenue: revenueCents / 100,
            })),
            recentOrders: await orderViews(api, recent, { isPast: past !== undefined }),
            undelivered: {
              orders: undelivered.orders,
              total: undelivered.totalCents / 100,
              pokecoins: undelivered.quantityM,
              isWhole: undelivered.isWhole,
            },
            unpaidPokecoins: Math.max(0, openM - undelivered.heldM),
          },
        }
      },
    }),
  ]
}
