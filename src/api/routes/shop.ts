import type { Api } from '../api.ts'
import { shop as shopContract } from '../contract/shop.ts'
import { type Route, route } from '../http/route.ts'

export function shopRoutes({ shop: { policy }, config }: Api): Route[] {
  const body = {
    name: policy.shopName,
    payments: config.payments,
    discordDmUrl: config.discordDmUrl ?? null,
    discordServerUrl: config.discordServerUrl ?? null,
    supportEmail: config.supportEmail ?? null,
    inrPerUsd: policy.paisePerUsd / 100,
    orderTtlMinutes: policy.orderTtlMinutes,
    timeZone: config.timeZone,
    deliveryMode: policy.deliveryMode,
  }
  return [
    route({
      id: 'getShop',
      method: 'get',
      path: '/api/shop',
      summary: 'What every screen needs to know about this shop.',
      answers: shopContract,
      handle: async () => ({ body }),
    }),
  ]
}
