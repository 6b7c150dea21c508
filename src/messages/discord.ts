import { chatCall, type ChatOptions } from './chat-call.ts'
import { MessageRefused, type MessageWay, WayAway } from './message-way.ts'

/** A link makes no preview, for which Discord would open the page. */
const SUPPRESS_EMBEDS = 4
const FORUM_NEEDS_THREAD = 220_001

/** Writes to one channel, as its webhook: https://docs.discord.com/developers/resources/webhook */
export function discordWay(url: string, options: ChatOptions): MessageWay {
  const posting = new URL(url)
  // With `wait`, the answer says whether the message was stored.
  posting.searchParams.set('wait', 'true')
  return {
    name: 'discord',
    textMax: 2_000,
    // Some 30 a minute.
    pauseMs: 2_000,
    async send({ text }) {
      const message = { content: text, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS }
      const { status, isSuccess, reply } = await chatCall('Discord', options, posting, message)
      if (isSuccess) return
      if (reply.code === FORUM_NEEDS_THREAD)
        throw new WayAway(
          'The webhook writes to a forum: make one in a text channel and set DISCORD_WEBHOOK_URL to it.',
        )
      assertKnown(status)
      throw new MessageRefused(`Discord refuses this message (${status}).`)
    },
    async check() {
      const { status, isSuccess } = await chatCall('Discord', options, new URL(url))
      assertKnown(status)
      if (!isSuccess) throw new WayAway(`Discord refuses the call (${status}): check DISCORD_WEBHOOK_URL.`)
    },
    close: async () => undefined,
  }
}

function assertKnown(status: number): void {
  if (![401, 403, 404].includes(status)) return
  throw new WayAway(
    'Discord does not know the webhook: it was deleted, or its address is wrong. Make a new one and set DISCORD_WEBHOOK_URL to it.',
  )
}
