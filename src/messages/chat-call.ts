import * as z from 'zod'
import { callByHttp, msUntil, NoHttpAnswer } from '../ports/http-call.ts'
import { WayAway } from './message-way.ts'

const BYTES_MAX = 100_000

/** What the shop reads of an answer: `retry_after` and `code` are Discord's, `parameters` Telegram's. */
const chatReply = z.object({
  retry_after: z.number().optional(),
  code: z.number().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).default({}),
})

interface ChatAnswer {
  readonly status: number
  readonly isSuccess: boolean
  readonly reply: z.infer<typeof chatReply>
}

export interface ChatOptions {
  readonly now: () => number
  /** Of one call; two are made for one message at most. */
  readonly timeoutMs: number
}

/** Asks a chat service: a POST if there is a body. Throws `WayAway` if it is away or asks to wait. */
export async function chatCall(
  title: string,
  { now, timeoutMs }: ChatOptions,
  url: URL,
  body?: object,
): Promise<ChatAnswer> {
  const sent = { url, headers: { 'content-type': 'application/json' }, timeoutMs, bytesMax: BYTES_MAX }
  const asked =
    body === undefined
      ? callByHttp({ ...sent, method: 'GET' })
      : callByHttp({ ...sent, method: 'POST', body: JSON.stringify(body) })
  const { status, isSuccess, text, retryAfter } = await asked.catch((error: unknown) => {
    throw error instanceof NoHttpAnswer ? new WayAway(`${title} does not answer: ${error.message}.`) : error
  })
  const reply = replyIn(text)
  if (status === 429) {
    const waitS = reply.retry_after ?? reply.parameters.retry_after
    const waitMs = waitS === undefined ? msUntil(retryAfter, now()) : waitS * 1_000
    throw new WayAway(`${title} takes no more messages for now; the shop sends on later.`, { waitMs })
  }
  if (status >= 500) throw new WayAway(`${title} has a fault of its own (${status}); the shop tries again.`)
  return { status, isSuccess, reply }
}

/** A proxy on the way may answer a page instead of JSON. */
function replyIn(text: string): ChatAnswer['reply'] {
  try {
    return chatReply.parse(JSON.parse(text))
  } catch {
    return chatReply.parse({})
  }
}
