import { settleUnplacedReceipt } from '../../commands/settle-unplaced-receipt.ts'
import { listUnplaced } from '../../projections/payments.ts'
import type { Api } from '../api.ts'
import { viewsAt } from '../as-of/views-at.ts'
import { done, pageAsOfQuery } from '../contract/order.ts'
import { keysCheck, providerStates, unplacedSettlement, unplacedList } from '../contract/provider.ts'
import { type Route, sentenceBody, staffRoute } from '../http/route.ts'
import { checkKeys, readProviderStates } from './provider-states.ts'

export function providerRoutes(api: Api): Route[] {
  const { context } = api
  return [
    staffRoute({
      id: 'listProviders',
      method: 'get',
      path: '/api/admin/providers',
      summary: 'The state of each payment provider: polled orders, outages, webhooks, keys.',
      answers: providerStates,
      handle: async (call) => ({ body: await readProviderStates(context, call) }),
    }),

    staffRoute({
      id: 'checkProviderKeys',
      method: 'post',
      path: '/api/admin/providers/check-keys',
      summary: 'Ask a provider whether it accepts the keys.',
      body: keysCheck,
      answers: providerStates,
      async handle(call) {
        await api.callProvider(call.networks, async () => checkKeys(context, call.body.provider))
        return { body: await readProviderStates(context, call) }
      },
    }),

    staffRoute({
      id: 'listUnplacedPayments',
      method: 'get',
      path: '/api/admin/unplaced-payments',
      summary: 'Money with a reference of the shop whose order is not in the log, oldest first.',
      query: pageAsOfQuery,
      answers: unplacedList,
      async handle(call) {
        const { views } = await viewsAt(api, call, call.query.asOf)
        return { body: await listUnplaced(views, call.query) }
      },
    }),

    staffRoute({
      id: 'settleUnplacedPayment',
      method: 'post',
      path: '/api/admin/unplaced-payments/settle',
      summary: 'Mark such money as dealt with; it no longer pays an order.',
      body: unplacedSettlement,
      answers: done,
      async handle({ body, caller, session: { adminId } }) {
        const { position } = await settleUnplacedReceipt(context, caller, { ...body, adminId })
        return { body: sentenceBody('This money is settled.'), position }
      },
    }),
  ]
}
