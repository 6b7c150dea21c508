import * as z from 'zod'

export interface Entries<Entry> {
  readonly read: readonly Entry[]
  /** How many could not be read. */
  readonly unread: number
}

/** A list whose entries are parsed one by one: an invalid one does not block the others. */
export function entriesOf<Entry>(entry: z.ZodType<Entry>, max = 1_000) {
  return z
    .array(z.unknown())
    .max(max)
    .transform((given): Entries<Entry> => {
      const read = given.map((one) => entry.safeParse(one)).flatMap(({ data }) => (data === undefined ? [] : [data]))
      return { read, unread: given.length - read.length }
    })
}

/** Drops unreadable entries; for lists without money. */
export function listOf<Entry>(entry: z.ZodType<Entry>, max?: number) {
  return entriesOf(entry, max).transform(({ read }) => read)
}

export const noEntries: Entries<never> = { read: [], unread: 0 }
