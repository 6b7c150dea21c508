import { calledProviders, isMethodOn } from '../../shop/providers.ts'
import { mailsBuyers } from '../../shop/message-notes.ts'
import { contactOf, hasContact, isOpeningPriceOnSale, shopName, sold } from '../../shop/shop-facts.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { ownText } from '../../domain/settings/settings.ts'
import { byShopText } from '../../domain/settings/shop-texts.ts'
import { hasAnyOrder } from '../../projections/orders.ts'
import { ViewBehind } from '../../projections/shop-views.ts'
import type { CommandContext } from '../../shop/command-context.ts'
import type { Api } from '../api.ts'
import { shopForStaff, shopInfo, type ShopForStaff, type ShopInfo } from '../contract/shop.ts'
import { type Call, type Route, route, staffRoute } from '../http/route.ts'

const EXAMPLE_EMAIL = 'help@shop.example'

export function shopRoutes(api: Api): Route[] {
  return [
    route({
      id: 'getShop',
      method: 'get',
      path: '/api/shop',
      summary: 'What every screen needs to know about this shop.',
      answers: shopInfo,
      reads: 'hot-states',
      handle: async () => ({ body: await infoOf(api) }),
    }),

    staffRoute({
      id: 'getShopForStaff',
      method: 'get',
      path: '/api/admin/shop',
      summary: 'What remains to be done before the first buyer comes, and what counts while the owner has set no text.',
      answers: shopForStaff,
      handle: async (call) => ({ body: await forStaff(api, call) }),
    }),
  ]
}

async function infoOf({ context, payments }: Api): Promise<ShopInfo> {
  const { config } = context
  const contact = contactOf(context)
  // A live shop shows no example.
  const supportEmail = hasContact(context) || payments.kind === 'live' ? contact.supportEmail : EXAMPLE_EMAIL
  return {
    name: shopName(context),
    ...sold(context),
    payments: payments.kind,
    ...contact,
    supportEmail,
    inrPerUsd: config.paisePerUsd / 100,
    orderTtlMinutes: config.ORDER_TTL_MINUTES,
    timeZone: config.SHOP_TIME_ZONE,
    deliveryMode: config.DELIVERY,
    mailsBuyers: await mailsBuyers(context),
  }
}

async function forStaff({ context }: Api, call: Pick<Call, 'views'>): Promise<ShopForStaff> {
  const { config, hot } = context
  const settings = hot.currentSettings()
  const isSet = (...names: Parameters<typeof ownText>[1][]) =>
    names.every((name) => ownText(settings, name) !== undefined)
  return {
    otherwise: {
      ...byShopText(() => null),
      shopName: config.SHOP_NAME,
      discordDmUrl: config.DISCORD_DM_URL ?? null,
      discordServerUrl: config.DISCORD_SERVER_URL ?? null,
      supportEmail: config.SUPPORT_EMAIL ?? null,
    },
    firstDay: {
      price: settings.priceConfirmed === true,
      seller: isSet('gameName', 'coinName', 'sellerName'),
      contact: hasContact(context),
      payments: arePaymentsSeen(context),
      password: hot.admin.state.isOwnPassword || config.ADMIN_PASSWORD !== undefined,
      order: await hasOrder(call),
    },
    isDismissed: settings.firstDayDismissed === true,
    isOpeningPriceOnSale: isOpeningPriceOnSale(config, settings),
  }
}

/** Whether each provider that takes money has sent a webhook. None does in the sandbox. */
function arePaymentsSeen(context: CommandContext): boolean {
  const isUsed = (name: string): boolean =>
    paymentMethods.some(
      (method) => isMethodOn(context, method) && context.providers[method].some((one) => one.name === name),
    )
  const used = calledProviders(context).filter(({ provider }) => isUsed(provider.name))
  return used.length > 0 && used.every(({ health }) => health.webhookAt !== undefined)
}

/** False while the views are being built. */
async function hasOrder(call: Pick<Call, 'views'>): Promise<boolean> {
  try {
    return await hasAnyOrder(await call.views())
  } catch (error) {
    if (error instanceof ViewBehind) return false
    throw error
  }
}
