import * as z from 'zod/mini'
import { orderId } from './order.ts'

/** A message of `GET /api/updates`: something under this topic changed; fetch it again with `X-Position: <position>`. */
export const update = z.object({
  topic: z.string(),
  position: z.string(),
})
export type Update = z.infer<typeof update>

/** `GET /api/updates?order=<id>&topics=pricing,settings,staff`: `staff` needs a session. */
const updateTopic = z.enum(['pricing', 'settings', 'staff', 'products'])

export const updatesQuery = z.strictObject({
  order: z.optional(orderId),
  /** Separated by commas. */
  topics: z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(100)),
        z.transform((text) => text.split(',').filter((topic) => topic !== '')),
      ),
      z.array(updateTopic),
    ),
  ),
})
