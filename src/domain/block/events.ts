import * as z from 'zod'
import type { EventsOf } from '../typed-events.ts'
import { blockReasons } from '../words.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const at = z.iso.datetime()

export const blockEvents = {
  /** Who is blocked is in the vault alone. */
  BuyerBlocked: z.strictObject({ blockId: z.string(), reason: z.enum(blockReasons), adminId: z.string(), at }),
  /** Null: it ended by its time. */
  BuyerUnblocked: z.strictObject({ blockId: z.string(), adminId: z.string().nullable(), at }),
}

export type BlockEvent = EventsOf<typeof blockEvents>
