import type * as z from 'zod'

/** The events that these schemas describe, by type. */
export type EventsOf<Schemas extends Readonly<Record<string, z.ZodType>>> = {
  [Type in keyof Schemas]: { type: Type; data: z.infer<Schemas[Type]> }
}[keyof Schemas]
