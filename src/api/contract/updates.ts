import * as z from 'zod/mini'

/** A message of `GET /api/updates`: something under this topic changed; ask again, with `X-Position: <position>`. */
export const update = z.object({
  topic: z.string(),
  position: z.string(),
})
export type Update = z.infer<typeof update>

/** `GET /api/updates?order=<id>&topics=pricing,settings,staff`: `staff` needs the session. */
export const updateTopic = z.enum(['pricing', 'settings', 'staff', 'products'])
