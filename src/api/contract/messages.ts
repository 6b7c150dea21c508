import * as z from 'zod/mini'

/** Each reaches the owner. */
const ways = ['mail', 'discord', 'telegram'] as const

/** `GET /api/admin/messages`: the ways that are set to reach the owner and, by mail, buyers. */
export const messagesState = z.object({
  isOn: z.boolean(),
  /** Why they are off: `MESSAGES` is `off`, they were on under another `PUBLIC_URL`, or the shop was restored; null while they are on. */
  whyOff: z.nullable(z.enum(['variable', 'another-address', 'turned-off'])),
  ways: z.array(
    z.object({
      /** `buyers`: mails to buyers. */
      name: z.enum([...ways, 'buyers']),
      lastSentAt: z.nullable(z.string()),
      /** Null once a message was accepted again. */
      lastError: z.nullable(z.object({ at: z.string(), text: z.string() })),
      /** Messages that failed and are sent again. */
      waiting: z.number(),
      /** Messages that failed for a day. */
      givenUp: z.number(),
    }),
  ),
})
export type MessagesState = z.infer<typeof messagesState>
export type MessageWayState = MessagesState['ways'][number]

/** `POST /api/admin/messages/test`: one message to the owner. */
export const messageTest = z.strictObject({ way: z.enum(ways) })

/** `POST /api/admin/messages/on` */
export const messagesTurnOn = z.strictObject({})
export const messagesTurnedOn = z.object({
  /** Events since the messages were off, of which none is sent. */
  passedOver: z.number(),
})
export type MessagesTurnedOn = z.infer<typeof messagesTurnedOn>

export const messageTested = z.object({ ok: z.literal(true) })
