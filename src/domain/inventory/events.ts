import * as z from 'zod'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const at = z.iso.datetime()
const wholeM = z.int().min(0)

export const inventoryEvents = {
  /** The opening stock, once. */
  StockSet: z.strictObject({ quantityM: wholeM, at }),
  /** An edit by staff, as a difference. */
  StockAdjusted: z.strictObject({
    differenceM: z.int(),
    /** The edit's own key, so that a repeated request changes nothing. */
    editKey: z.string().nullable(),
    adminId: z.string(),
    at,
  }),
  StockReserved: z.strictObject({
    orderId: z.string(),
    /** The revision that the claim will have in the order's stream. */
    claimAt: z.int().min(0),
    serial: z.int().min(1),
    quantityM: wholeM,
    at,
  }),
  /** Events were lost: serials up to this one may have been assigned and are not reused. */
  SerialsSkipped: z.strictObject({ lastSerial: z.int().min(1), at }),
  StockReleased: z.strictObject({ serial: z.int().min(1), orderId: z.string(), quantityM: wholeM, at }),
  StockCommitted: z.strictObject({ serial: z.int().min(1), orderId: z.string(), quantityM: wholeM, at }),
}

export type InventoryEvent = EventsOf<typeof inventoryEvents>
