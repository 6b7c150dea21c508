import * as z from 'zod/mini'
import { day } from './formats.ts'

/** A past day in the shop's time zone; the response is as of its end. */
export const pastDay = day

/** For staff reads that can also show a past day. */
export const asOfQuery = z.strictObject({ asOf: z.optional(pastDay) })
export type AsOfQuery = z.infer<typeof asOfQuery>

/** `GET /api/admin/as-of?at=2026-01-31`. */
export const asOfOpenQuery = z.strictObject({ at: pastDay })

const progress = z.object({
  /** Events read so far. */
  events: z.number(),
  /** When the last of them was recorded; null if none. */
  upTo: z.nullable(z.string()),
  /** Progress from the first event to the end, 0 to 1. */
  part: z.number(),
})
export type FoldProgress = z.infer<typeof progress>

/** The response of `GET /api/admin/as-of`; call it again until the day is ready. */
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
