import type { Api } from '../api.ts'
import { contactOf } from '../../config.ts'
import { shopInfo } from '../contract/shop.ts'
import { type Route, route } from '../http/route.ts'

export function shopRoutes({ context: { config }, payments }: Api): Route[] {
  const contact = contactOf(config, payments.kind)
  const body = {
    name: config.SHOP_NAME,
    payments: payments.kind,
    discordDmUrl: contact.discordDmUrl ?? null,
    discordServerUrl: contact.discordServerUrl ?? null,
    supportEmail: contact.supportEmail ?? null,
    inrPerUsd: config.paisePerUsd / 100,
    orderTtlMinutes: config.ORDER_TTL_MINUTES,
    timeZone: config.SHOP_TIME_ZONE,
    deliveryMode: config.DELIVERY,
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
