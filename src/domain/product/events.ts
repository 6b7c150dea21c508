import * as z from 'zod'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const productFields = z.strictObject({
  name: z.string(),
  description: z.string(),
  quantityM: z.int().min(1),
  active: z.boolean(),
  position: z.int().min(0),
})
const by = { productId: z.string(), adminId: z.string(), at: z.iso.datetime() }

export const productEvents = {
  ProductCreated: productFields.extend(by),
  /** Only the changed fields. */
  ProductChanged: z.strictObject({ ...by, changes: productFields.partial() }),
  ProductDeleted: z.strictObject(by),
}

export type ProductFields = z.infer<typeof productFields>

export type ProductEvent = EventsOf<typeof productEvents>
