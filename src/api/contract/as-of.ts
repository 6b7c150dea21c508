import * as z from 'zod/mini'

/** A day of the shop's calendar that is over; the answer is as of its end. */
export const pastDay = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'A day is written as 2026-01-31.'))

/** For reads of staff that can also be answered as of a day. */
export const asOfQuery = z.strictObject({ asOf: z.optional(pastDay) })
export type AsOfQuery = z.infer<typeof asOfQuery>

/** `GET /api/admin/as-of?at=2026-01-31`. */
export const asOfOpen = z.strictObject({ at: pastDay })

const progress = z.object({
  /** How far the log is read. */
  events: z.number(),
  /** When the last of them was recorded. */
  upTo: z.nullable(z.string()),
  /** Of the time from its first event to the end, 0 to 1. */
  part: z.number(),
})
export type Progress = z.infer<typeof progress>

/** The answer of `GET /api/admin/as-of`, which is asked again until the day is ready. */
export const asOfState = z.union([
  z.extend(progress, { is: z.literal('folding') }),
  z.object({
    is: z.literal('ready'),
    /** When the day ended. */
    endsAt: z.string(),
    timeZone: z.string(),
  }),
])
export type AsOfState = z.infer<typeof asOfState>
