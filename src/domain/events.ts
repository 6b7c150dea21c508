import type * as z from 'zod'
import { type AdminEvent, adminEvents } from './admin/events.ts'
import { type BlockEvent, blockEvents } from './block/events.ts'
import { type CustomerEvent, customerEvents } from './customer/events.ts'
import { type InventoryEvent, inventoryEvents } from './inventory/events.ts'
import { type OrderEvent, orderEvents } from './order/events.ts'
import { type ProductEvent, productEvents } from './product/events.ts'
import { type ReceiptEvent, receiptEvents } from './receipt/events.ts'
import { type SettingsEvent, settingsEvents } from './settings/events.ts'
import { type ShopLifeEvent, shopEvents } from './shop/events.ts'

/** Everything that can happen in the shop. */
export type ShopEvent =
  | OrderEvent
  | InventoryEvent
  | ReceiptEvent
  | SettingsEvent
  | ProductEvent
  | CustomerEvent
  | BlockEvent
  | AdminEvent
  | ShopLifeEvent

export type ShopEventType = ShopEvent['type']

const schemas: Record<ShopEventType, z.ZodType> = {
  ...orderEvents,
  ...inventoryEvents,
  ...receiptEvents,
  ...settingsEvents,
  ...productEvents,
  ...customerEvents,
  ...blockEvents,
  ...adminEvents,
  ...shopEvents,
}

/** An event's stored shape: its present version, its schema, and the upcasts of older versions. */
export interface EventFormat {
  readonly version: number
  readonly schema: z.ZodType
  /** `upcasts[0]` turns version 1 into 2, and so on. */
  readonly upcasts: readonly ((data: unknown) => unknown)[]
}

const upcasts: { readonly [Type in ShopEventType]?: readonly ((data: unknown) => unknown)[] } = {}

export const eventFormats: ReadonlyMap<string, EventFormat> = new Map(
  Object.entries(schemas).map(([type, schema]) => {
    const steps = upcasts[type as ShopEventType] ?? []
    return [type, { version: steps.length + 1, schema, upcasts: steps }]
  }),
)

/** Data stored under `version`, upcast to the present shape; not yet checked by the schema. */
export function upcast(format: EventFormat, version: number, data: unknown): unknown {
  return format.upcasts.slice(version - 1).reduce((older, step) => step(older), data)
}
