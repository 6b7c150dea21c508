import * as z from 'zod'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

export const customerEvents = {
  /** The person's key is deleted or about to be: nothing sealed under it can be opened again. */
  CustomerErased: z.strictObject({ customerId: z.string(), adminId: z.string(), at: z.iso.datetime() }),
}

export type CustomerEvent = EventsOf<typeof customerEvents>
