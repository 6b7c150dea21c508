import { MessageRefused, type Message, type MessageWay, WayAway, type WayName } from '../src/messages/message-way.ts'
import { TryAgain } from '../src/ports/try-again.ts'
import type { Views } from '../src/projections/shop-views.ts'
import type { CommandContext } from '../src/shop/command-context.ts'
import { messenger } from '../src/workers/messenger.ts'
import { outwardCall, type World } from './engines.ts'
import type { Ledger } from './ledger.ts'
import type { Thread } from './scheduler.ts'

export type Messenger = ReturnType<typeof messenger>

/** The sender of messages of one process, to ways that may be away, or accept a message without an answer. */
export function simulatedSender(
  { world, ledger }: { readonly world: World; readonly ledger: Ledger },
  thread: Thread,
  { context, views }: { readonly context: CommandContext; readonly views: Views },
): Messenger {
  return messenger({
    context,
    logId: 'simulated',
    views,
    channels: [
      { name: 'telegram', way: simulatedWay(world, thread, 'telegram') },
      { name: 'buyers', way: simulatedWay(world, thread, 'mail') },
    ],
    owner: thread.name,
    elapsed: () => world.scheduler.nowMs,
    onTrouble(error) {
      const isOutside = error instanceof TryAgain || error instanceof WayAway || error instanceof MessageRefused
      if (!isOutside)
        ledger.breach(`telling threw ${error instanceof Error ? (error.stack ?? error.name) : String(error)}`)
    },
    onOff: (why) => ledger.breach(`messages are off: ${why}`),
  })
}

function simulatedWay(world: World, thread: Thread, name: WayName): MessageWay {
  const send = async (message: Message): Promise<void> => {
    await outwardCall(world, thread, {
      name: `${name} ${message.id.slice(0, 12)}`,
      work: () => world.messages.push(message),
      away: () => (world.dice.chance(0.5) ? new WayAway('simulated') : new MessageRefused('simulated')),
      faults: { away: 'bot-away', silent: 'bot-silent' },
    })
  }
  return { name, textMax: 2_000, pauseMs: 1_000, send, check: async () => undefined, close: async () => undefined }
}
