import * as z from 'zod'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const at = z.iso.datetime()

export const adminEvents = {
  /** The vault has the hash under this password id. Ends every session. */
  AdminPasswordSet: z.strictObject({ adminId: z.string(), passwordId: z.string(), at }),
  /** The vault has its secret under this factor id. From now on a login needs a code. */
  SecondFactorRequired: z.strictObject({ adminId: z.string(), factorId: z.string(), at }),
  /** Ends every session. */
  SecondFactorRemoved: z.strictObject({ adminId: z.string(), factorId: z.string(), at }),
  /** `isNewBrowser`: the owner had not logged in from it before; neither its address nor its name is here. */
  SessionStarted: z.strictObject({
    adminId: z.string(),
    sessionId: z.string(),
    isNewBrowser: z.boolean(),
    expiresAt: at,
    at,
  }),
  /** Its owner gave a code again. */
  SessionConfirmed: z.strictObject({ adminId: z.string(), sessionId: z.string(), at }),
  SessionEnded: z.strictObject({ adminId: z.string(), sessionId: z.string(), at }),
}

export type AdminEvent = EventsOf<typeof adminEvents>
