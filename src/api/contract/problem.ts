import * as z from 'zod/mini'

/** Every refusal and error of the API, as `application/problem+json`. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  /** Stable: `<stream>/<reason>`. */
  code: z.string(),
  /** A sentence for a person. */
  message: z.string(),
  /** Which fields of the request are wrong, and why. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  correlationId: z.optional(z.string()),
})
export type Problem = z.infer<typeof problem>
