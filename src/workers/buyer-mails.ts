import type { OrderEvent } from '../domain/order/events.ts'
import { isDeleted } from '../domain/order/order-state.ts'
import { orderIdOf } from '../domain/stream-names.ts'
import type { RecordedEvent, UnreadableEvent } from '../log/event-log.ts'
import type { Message } from '../messages/message-way.ts'
import { knownOrders } from '../projections/known-orders.ts'
import type { Views } from '../projections/shop-views.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { FOUND_ORDERS_MAX, findRequestOf } from '../shop/lost-orders.ts'
import { orderLinks } from '../shop/order-links.ts'
import { openedOrders } from '../shop/read-history.ts'
import { sellerOf, shopName, wordsOf } from '../shop/shop-facts.ts'
import { foundOrdersMail, mailContent, mailOf, mayAskForMail } from '../words/buyer-mails.ts'
import { mailBody } from '../words/mail-body.ts'

const LINK_MS = 30 * 86_400_000
const FOUND_LINK_MS = 3_600_000

interface MailWanted {
  readonly orderId: string
  readonly revision: number
  readonly at: string
}

/** The events of a page that may ask for a mail. */
export function mailsWanted(events: readonly (RecordedEvent | UnreadableEvent)[]): MailWanted[] {
  return events.flatMap((event) => {
    const orderId = orderIdOf(event.stream)
    if (orderId === undefined || !mayAskForMail(event.type)) return []
    const { at } = (event as OrderEvent).data
    return [{ orderId, revision: event.revision, at }]
  })
}

/** Makes the mails of buyers, at the moment they are sent. */
export function buyerMails(context: CommandContext, views: Views) {
  const { log, hot, keys, config } = context
  const links = orderLinks(keys, config.PUBLIC_URL)
  const sender = () => ({ shopName: shopName(context), publicUrl: config.PUBLIC_URL })

  return {
    /** Undefined if the event asks for no mail now, or the buyer cannot be read. */
    async messageOf(orderId: string, revision: number): Promise<Message | undefined> {
      const history = await hot.orders.read(orderId)
      const { order } = history
      const kind = mailOf(history, revision)
      const event = history.events[revision]
      if (kind === undefined || order.kind !== 'placed' || !event) return undefined
      const [opened] = await openedOrders(context, [order])
      if (!opened || typeof opened.opened.buyer === 'string') return undefined
      const refund = event.type === 'RefundRecorded' ? event.data : undefined
      const content = mailContent(kind, { order, refund, words: wordsOf(context), seller: sellerOf(context) })
      // The page of a deleted order is gone.
      const link = isDeleted(order) ? undefined : links.linkTo(orderId, Date.parse(event.data.at) + LINK_MS)
      return {
        id: `${orderId}.${revision}`,
        to: opened.opened.buyer.customerEmail,
        subject: content.subject,
        ...mailBody(content, { ...sender(), link }),
      }
    },

    /** The links that a buyer asked for at `askedAt`. */
    async foundOrders(requestId: string, askedAt: number): Promise<Message | undefined> {
      const customerId = findRequestOf(requestId)
      if (customerId === undefined || context.clock.now() >= askedAt + FOUND_LINK_MS) return undefined
      const ids = await knownOrders(views).orderIdsOf(customerId, await log.head())
      const histories = await Promise.all(ids.map(async (orderId) => hot.orders.read(orderId)))
      const paid = histories.flatMap(({ order }) =>
        order.kind === 'placed' && order.moneySeenAt !== undefined ? [order] : [],
      )
      const newest = paid
        .toSorted((one, other) => (one.placed.at < other.placed.at ? 1 : -1))
        .slice(0, FOUND_ORDERS_MAX)
      const [first] = await openedOrders(context, newest.slice(0, 1))
      if (!first || typeof first.opened.buyer === 'string') return undefined
      const found = newest.map(({ placed: { orderId, orderNumber } }) => ({
        orderNumber,
        link: links.linkTo(orderId, askedAt + FOUND_LINK_MS),
      }))
      const content = foundOrdersMail(found)
      return {
        id: `found.${customerId}.${askedAt}`.replaceAll(/[^\w.-]/g, '-'),
        to: first.opened.buyer.customerEmail,
        subject: content.subject,
        ...mailBody(content, { ...sender(), link: undefined }),
      }
    },
  }
}
