import * as z from 'zod'

/** When an answer to a dispute is due, as a UTC time. One that cannot be read counts as none. */
export const dueDate = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .nullish()
  .catch(null)
