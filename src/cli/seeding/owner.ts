import { changeSettings } from '../../commands/change-settings.ts'
import { handleProduct } from '../../commands/handle-product.ts'
import { setStock } from '../../commands/set-stock.ts'
import type { DeliveryMode } from '../../domain/words.ts'
import { type PaymentMethod, switchOf } from '../../domain/payment-methods.ts'
import type { ProductFields } from '../../domain/product/events.ts'
import type { SettingsCommand } from '../../domain/settings/settings.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { type Caller, nowText, type CommandContext } from '../../shop/command-context.ts'

type OwnersAct = (shop: CommandContext, caller: Caller) => Promise<unknown>

const adminId = ADMIN_ID
/** Times in this file are shares of the shop's lifetime. */
const OUTAGE = 0.004
const AN_HOUR = 0.0001

const outages: readonly (readonly [from: number, method: PaymentMethod])[] = [
  [0.31, 'paypal'],
  [0.74, 'upi'],
]

/** More than the largest order; below it the owner restocks. */
export const LOW_STOCK_M = 2_000

/** Off, or about to be. */
export function isMethodOff(method: PaymentMethod, share: number): boolean {
  return outages.some(([from, off]) => off === method && share >= from - AN_HOUR && share < from + OUTAGE)
}

export function deliveryModeAt(share: number): DeliveryMode {
  return share > 0.5 && share < 0.8 ? 'instant' : 'staff'
}

export function setting(changes: SettingsCommand['changes']): OwnersAct {
  return async (shop, caller) => changeSettings(shop, caller, { changes, adminId, seenRevision: undefined })
}

export function stock(stockM: number): OwnersAct {
  return async (shop, caller) => setStock(shop, caller, { stockM, seenM: undefined, editKey: null, adminId })
}

/** What the owner does independently of buyers. */
export function ownersPlan(): readonly (readonly [share: number, act: OwnersAct])[] {
  const ids = new Map<string, string>()
  type Wish =
    | { type: 'CreateProduct'; fields: ProductFields }
    | { type: 'ChangeProduct'; changes: Partial<ProductFields> }
    | { type: 'DeleteProduct' }
  const product = (name: string, wish: Wish): OwnersAct => {
    return async (shop, caller) => {
      const productId = ids.get(name) ?? shop.random.uuid()
      ids.set(name, productId)
      return handleProduct(shop, caller, { ...wish, productId, adminId, at: nowText(shop) })
    }
  }
  const add = (name: string, quantityM: number, position: number): OwnersAct => {
    const description = `${quantityM}M coins at once`
    const fields = { name, description, quantityM, active: true, position }
    return product(name, { type: 'CreateProduct', fields })
  }
  const change = (name: string, changes: Partial<ProductFields>): OwnersAct =>
    product(name, { type: 'ChangeProduct', changes })
  return [
    [0, add('Starter', 10, 0)],
    [0, add('Launch offer', 50, 1)],
    [0.02, add('Regular', 100, 2)],
    [0.1, product('Launch offer', { type: 'DeleteProduct' })],
    [0.12, setting({ basePriceCents: 6 })],
    [0.25, setting({ pack5Discount: 22, pack6Discount: 27 })],
    [0.35, add('Collector', 500, 3)],
    [0.4, setting({ basePriceCents: 8 })],
    [0.45, change('Starter', { quantityM: 20, description: '20M coins at once' })],
    [0.55, setting({ bulkDiscountPercent: 10 })],
    [0.57, setting({ bulkDiscountPercent: 0 })],
    [0.66, setting({ pack1Amount: 20, pack1Discount: 6 })],
    [0.7, change('Collector', { active: false })],
    [0.85, setting({ basePriceCents: 7 })],
    ...outages.flatMap(([from, method]) => [
      [from, setting({ [switchOf(method)]: false })] as const,
      [from + OUTAGE, setting({ [switchOf(method)]: true })] as const,
    ]),
  ]
}
