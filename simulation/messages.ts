import { mailOf, type MailKind } from '../src/words/buyer-mails.ts'
import { MessageRefused, type Message, type MessageWay, WayAway, type WayName } from '../src/messages/message-way.ts'
import { TryAgain } from '../src/ports/try-again.ts'
import type { RecordedEvent } from '../src/log/event-log.ts'
import type { OrderEvent } from '../src/domain/order/events.ts'
import { buyerMails } from '../src/workers/buyer-mails.ts'
import { messenger } from '../src/workers/messenger.ts'
import type { Views } from '../src/projections/shop-views.ts'
import { action } from './action.ts'
import { outwardCall, type World } from './engines.ts'
import type { Thread } from './scheduler.ts'
import type { ShopProcess } from './shop-process.ts'
import type { Shopping } from './shopping.ts'

/** A process sends what is to be told. */
export const messageActions = {
  tell: action(14, (shopping) => {
    const sender = shopping.parts.dice.pick(shopping.running.filter(({ isTelling }) => !isTelling))
    if (sender) shopping.watch(sender.main, 'tell', sender.tell())
    return sender !== undefined
  }),
}

export type Messenger = ReturnType<typeof messenger>

/** The sender of messages of one process, to ways that may be away, or accept a message without an answer. */
export function simulatedSender({ parts }: Shopping, process: ShopProcess, views: Views): Messenger {
  const { world, ledger } = parts
  const { context } = process.assembled(process.main)
  return messenger({
    context,
    logId: 'simulated',
    views,
    channels: [
      { name: 'telegram', way: simulatedWay(world, process.main, 'telegram') },
      { name: 'buyers', way: simulatedWay(world, process.main, 'mail') },
    ],
    mails: buyerMails(context, views),
    owner: process.name,
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

const lasting: ReadonlySet<MailKind | undefined> = new Set(['delivered', 'refunded'])

/** What stays true was mailed, unless its buyer was erased; and each mail is of an order at which money was seen, or which staff approved. */
export function auditMessages(
  { world, shopping }: { world: World; shopping: Shopping },
  orderId: string,
  { events, isErased }: { events: readonly RecordedEvent[]; isErased: boolean },
): string[] {
  if (!shopping.parts.config.messages) return []
  const own = events as readonly RecordedEvent<OrderEvent>[]
  const mailed = world.messages.filter(({ id }) => id.startsWith(orderId)).map(({ id }) => id)
  const lost = own.filter(
    ({ revision }) => lasting.has(mailOf(own, revision)) && !isErased && !mailed.includes(`${orderId}.${revision}`),
  )
  const isOwed = own.some(({ type }) => /^(PaymentSeen|PaymentReceived|OrderApproved)$/.test(type))
  const { crashes } = shopping
  const most = Math.max(
    0,
    ...Map.groupBy(mailed, (id) => id)
      .values()
      .map((times) => times.length),
  )
  return [
    ...lost.map(({ type, revision }) => `${type} at ${revision} of ${orderId} was not mailed`),
    ...(mailed.length > 0 && !isOwed ? [`${orderId} was mailed before any money`] : []),
    ...(shopping.isAlone && most > 1 + crashes
      ? [`a mail of ${orderId} came ${most} times in ${crashes} crashes`]
      : []),
  ]
}
