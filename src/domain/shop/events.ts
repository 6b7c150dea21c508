import * as z from 'zod'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

export const shopEvents = {
  /** The first event of a log: the fingerprint of its vault, which reveals nothing of the vault's content. */
  ShopOpened: z.strictObject({ vaultId: z.string(), at: z.iso.datetime() }),
  /** Buyers' personal data was exported to a file: by which export, and up to which position of the log. */
  PersonalDataRevealed: z.strictObject({ what: z.enum(['orders']), upTo: z.string(), at: z.iso.datetime() }),
  /** The owner accepted that the log's end was lost: vault or views had seen `knownHead`, the log ended at `head`. */
  LostEventsAccepted: z.strictObject({ knownHead: z.string(), head: z.string(), at: z.iso.datetime() }),
}

export type ShopLifeEvent = EventsOf<typeof shopEvents>
