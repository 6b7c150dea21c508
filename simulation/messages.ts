import { mailOf, type MailKind } from '../src/words/buyer-mails.ts'
import type { RecordedEvent } from '../src/log/event-log.ts'
import type { OrderEvent } from '../src/domain/order/events.ts'
import { historyOf } from '../src/shop/hot/order-histories.ts'
import { action } from './action.ts'
import type { World } from './engines.ts'
import type { Shopping } from './shopping.ts'

/** A process sends what is to be told. */
export const messageActions = {
  tell: action(14, (shopping) => {
    const sender = shopping.parts.dice.pick(shopping.running.filter(({ isTelling }) => !isTelling))
    if (sender) shopping.watch(sender.main, 'tell', sender.tell())
    return sender !== undefined
  }),
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
  const history = historyOf(own)
  const mailed = world.messages.filter(({ id }) => id.startsWith(orderId)).map(({ id }) => id)
  const lost = own.filter(
    ({ revision }) => lasting.has(mailOf(history, revision)) && !isErased && !mailed.includes(`${orderId}.${revision}`),
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
