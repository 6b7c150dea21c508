import type { Fate } from '../../engines/testing/interposed.ts'
import type { Message, MessageWay, WayName } from '../../messages/message-way.ts'

interface PlayedWay extends MessageWay {
  readonly accepted: Message[]
  /** What becomes of each message: accepted, by default. */
  meet: Fate
}

/** A way that keeps what it was given, and fails as it is told. */
export function playedWay(name: WayName = 'mail'): PlayedWay {
  const accepted: Message[] = []
  const way: PlayedWay = {
    name,
    accepted,
    textMax: 2_000,
    pauseMs: 0,
    meet: async (accept) => accept(),
    async send(message) {
      await way.meet(async () => accepted.push(message), { name: 'send', given: [message] })
    },
    check: async () => undefined,
    close: async () => undefined,
  }
  return way
}
