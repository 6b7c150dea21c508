import type { Api } from '../api.ts'
import { shopInfo } from '../contract/shop.ts'
import { type Route, route } from '../http/route.ts'

export function shopRoutes({ shop: { terms }, config }: Api): Route[] {
  const body = {
    name: terms.shopName,
    payments: config.payments,
    discordDmUrl: config.discordDmUrl ?? null,
    discordServerUrl: config.discordServerUrl ?? null,
    supportEmail: config.supportEmail ?? null,
    inrPerUsd: terms.paisePerUsd / 100,
    orderTtlMinutes: terms.orderTtlMinutes,
    timeZone: config.timeZone,
    deliveryMode: terms.deliveryMode,
  }
  return [
    route({
      id: 'getShop',
      method: 'get',
      path: '/api/shop',
      summary: 'What every screen needs to know about this shop.',
      answers: shopInfo,
      handle: async () => ({ body }),
    }),
  ]
}
