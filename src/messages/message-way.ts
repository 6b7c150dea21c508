/** What is sent to one person, once. */
export interface Message {
  /** The same when the message is repeated: a mail's Message-ID derives from it. Letters, digits, `-` and `.`. */
  readonly id: string
  /** The buyer's e-mail; undefined for the owner, whose address the way knows. */
  readonly to: string | undefined
  /** One line. */
  readonly subject: string
  /** Plain text, at most `textMax` characters. */
  readonly text: string
  /** The same as `text`, for ways that show it. */
  readonly html?: string
}

export const wayNames = ['mail', 'discord', 'telegram'] as const
export type WayName = (typeof wayNames)[number]

/**
 * A way to reach people outside the shop. Only mail reaches buyers.
 *
 * Promised: `send` resolves once the way has accepted the message, and ends within 15 s. Deliberately not: repeating, order, delivery.
 */
export interface MessageWay {
  readonly name: WayName
  readonly textMax: number
  /** The least time between two messages to the owner. */
  readonly pauseMs: number
  /** Throws `WayAway` if no message gets through now, `MessageRefused` if this one or its recipient is refused. */
  send(message: Message): Promise<void>
  /** Connects and signs in, without a message. Throws `WayAway`. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The way takes no message now: it cannot be reached, refuses its keys, or asks to wait. Its text is for the owner and holds no secret. */
export class WayAway extends Error {
  override readonly name = 'WayAway'
  /** At least this long; 0 if the way did not say. */
  readonly waitMs: number

  constructor(message: string, { waitMs = 0 }: { waitMs?: number } = {}) {
    super(message)
    this.waitMs = waitMs
  }
}

/** The way refuses this message or its recipient, for now or for good; others may get through. Its text names no recipient. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused'
}
