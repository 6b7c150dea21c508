import * as z from 'zod'

/* This is the stored format. What is written once must be readable for ever: change it only with a new version and an upcast. */

export const shopEvents = {
  /** The first event of a log: which vault it belongs to, by a text that tells nothing of what is in there. */
  ShopOpened: z.strictObject({ vaultId: z.string(), at: z.iso.datetime() }),
}

export type ShopOpenedEvent = { type: 'ShopOpened'; data: z.infer<(typeof shopEvents)['ShopOpened']> }
