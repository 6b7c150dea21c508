import type { MessageWay } from '../messages/message-way.ts'
import type { Config } from '../config.ts'
import type { CommandContext } from './command-context.ts'
import { type ChannelName, type MessagesOff, readMessages, turnMessagesOn } from './message-notes.ts'

export interface WayState {
  readonly name: ChannelName
  /** ISO time of the last message that the way accepted. */
  readonly lastSentAt: string | null
  /** The last failure, unless a message was accepted since. */
  readonly lastError: { readonly at: string; readonly text: string } | null
  /** Messages that failed and will be sent again. */
  readonly waiting: number
  /** Messages that were given up. */
  readonly givenUp: number
}

export interface MessagesState {
  /** Null while they are sent. */
  readonly whyOff: MessagesOff | null
  readonly ways: readonly WayState[]
}

/** What the shop keeps of its messages, for the owner. Promised: nothing of a buyer. */
export interface MessagesDesk {
  read(): Promise<MessagesState>
  /** Messages begin again with what happens from now on. `passedOver` counts the events of which none is sent. */
  turnOn(): Promise<{ readonly passedOver: number }>
}

/** The ways of the configuration, and what is kept of their messages. */
export interface Messages {
  readonly ways: readonly MessageWay[]
  readonly desk: MessagesDesk
}

/** One of the ways to the owner, or mail to buyers. */
export interface Channel {
  readonly name: ChannelName
  readonly way: MessageWay
}

export function channelsOf(ways: readonly MessageWay[], { OWNER_MAIL }: Pick<Config, 'OWNER_MAIL'>): Channel[] {
  return ways.flatMap((way): Channel[] => {
    if (way.name !== 'mail') return [{ name: way.name, way }]
    return [...(OWNER_MAIL === undefined ? [] : [{ name: 'mail', way } as const]), { name: 'buyers', way }]
  })
}

/** What the sender of messages keeps in the vault, for the owner. */
export function messagesDesk(
  { vault, log, config }: Pick<CommandContext, 'vault' | 'log' | 'config'>,
  logId: string,
  ways: readonly MessageWay[],
): MessagesDesk {
  const names = channelsOf(ways, config).map(({ name }) => name)
  return {
    async read() {
      const { off, channels } = await readMessages(vault, config, names)
      const states = channels.map(({ name, sentAt, error, waiting, givenUp }) => ({
        name,
        lastSentAt: sentAt === null ? null : timeOf(sentAt),
        lastError: error && { at: timeOf(error.at), text: error.text },
        waiting,
        givenUp,
      }))
      return { whyOff: off, ways: states }
    },
    turnOn: async () => turnMessagesOn({ vault, log, logId }, config.PUBLIC_URL),
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
