import type { Config } from '../config.ts'
import { discordWay } from './discord.ts'
import type { MessageWay, WayName } from './message-way.ts'
import { type Sender, smtpWay } from './smtp.ts'
import { telegramWay } from './telegram.ts'

/** Who is reached by which way: the owner by each, buyers by mail. */
export type ChannelName = WayName | 'buyers'

export interface Channel {
  readonly name: ChannelName
  readonly way: MessageWay
}

interface WaysOptions {
  readonly now: () => number
  /** What a mail says of the shop; read for each. */
  readonly sender: () => Sender
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 14_000

/** The ways that the configuration names. None of them has connected yet. */
export function waysOf(config: Config, { now, sender, timeoutMs = TIMEOUT_MS }: WaysOptions): MessageWay[] {
  const { SMTP_URL, MAIL_FROM, OWNER_MAIL: owner, DISCORD_WEBHOOK_URL, TELEGRAM_BOT_TOKEN: token } = config
  const { TELEGRAM_CHAT_ID: chatId, TELEGRAM_URL } = config
  const chat = { now, timeoutMs: timeoutMs / 2 }
  return [
    SMTP_URL !== undefined &&
      MAIL_FROM !== undefined &&
      smtpWay({ url: SMTP_URL, from: MAIL_FROM, owner, sender, timeoutMs }),
    DISCORD_WEBHOOK_URL !== undefined && discordWay(DISCORD_WEBHOOK_URL, chat),
    token !== undefined && chatId !== undefined && telegramWay({ url: TELEGRAM_URL, token, chatId, ...chat }),
  ].filter((way) => way !== false)
}

export function channelsOf(ways: readonly MessageWay[], { OWNER_MAIL }: Pick<Config, 'OWNER_MAIL'>): Channel[] {
  return ways.flatMap((way): Channel[] => {
    if (way.name !== 'mail') return [{ name: way.name, way }]
    return [...(OWNER_MAIL === undefined ? [] : [{ name: 'mail', way } as const]), { name: 'buyers', way }]
  })
}
