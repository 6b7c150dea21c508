import type { MessageWay } from '../messages/message-way.ts'
import type { ChannelName, MessagesOff } from './message-notes.ts'

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

/** A desk that keeps nothing. */
export function emptyDesk(ways: readonly Pick<MessageWay, 'name'>[]): MessagesDesk {
  const states = ways.map(({ name }) => ({ name, lastSentAt: null, lastError: null, waiting: 0, givenUp: 0 }))
  return { read: async () => ({ whyOff: null, ways: states }), turnOn: async () => ({ passedOver: 0 }) }
}
