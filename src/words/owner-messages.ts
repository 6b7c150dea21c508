import { millions, usd } from '../domain/money.ts'
import { answerDueAt, type PlacedOrder } from '../domain/order/order-state.ts'
import { methodRows } from '../domain/payment-methods.ts'
import type { AttentionReason } from '../domain/words.ts'
import { causeWords } from './cause-words.ts'

/* The texts of messages to the owner. Others may read a chat, so they hold no data of a buyer. */

/** An order that the owner must do something about: hand it over, or look at it for these reasons. */
export interface Notice {
  readonly order: PlacedOrder
  readonly reasons: readonly AttentionReason[]
}

/** What a message to the owner says. `waiting`: what waits at the desk, after messages were held up for long. */
export interface OwnerNews {
  readonly states: readonly string[]
  readonly waiting: { readonly toHandOver: number; readonly toLookAt: number } | undefined
  readonly notices: readonly Notice[]
}

interface Place {
  readonly publicUrl: string
  readonly shopName: string
  readonly textMax: number
}

const MORE_CHARS = 40

export function ownerMessage(
  news: OwnerNews,
  { publicUrl, shopName, textMax }: Place,
): { subject: string; text: string } {
  const { states, waiting, notices } = news
  const first = subjectOf(news)
  const lines = [
    ...states,
    ...(waiting ? [`Messages were held up. ${waitingText(waiting)}.`] : []),
    ...notices.map((notice) => `${noticeText(notice)}\n${publicUrl}/admin/orders/${notice.order.placed.orderId}`),
  ]
  const end = `\n\n${publicUrl}/admin`
  let text = notices.length + states.length > 1 ? `${shopName}: ${first}` : shopName
  for (const [index, line] of lines.entries()) {
    const left = lines.length - index
    if (text.length + line.length + 2 + end.length + (left > 1 ? MORE_CHARS : 0) > textMax) {
      text += `\n\nand ${left} more`
      break
    }
    text += `\n\n${line}`
  }
  return { subject: `${first} (${shopName})`, text: text + end }
}

function subjectOf({ states, waiting, notices }: OwnerNews): string {
  const [state] = states
  if (state !== undefined && states.length === 1) return state
  const [only] = notices
  if (only && notices.length === 1 && states.length === 0 && !waiting) return noticeText(only)
  const toHandOver = notices.filter(({ reasons }) => reasons.length === 0).length
  const counts = waitingText({ toHandOver, toLookAt: notices.length - toHandOver })
  if (states.length > 1) return `${states.length} messages about the shop`
  return notices.length > 0 ? counts : 'what waits at the desk'
}

function noticeText({ order, reasons }: Notice): string {
  const { placed, paymentMethod } = order
  const by = paymentMethod === null ? '' : ` by ${methodRows[paymentMethod].name}`
  const what = `${placed.orderNumber}: ${millions(placed.quantityM)}, ${usd(placed.totalCents)}${by}`
  if (reasons.length === 0) return `Hand over order ${what}`
  return `Look at order ${what}. ${reasons.map((reason) => causeText(order, reason)).join('. ')}`
}

function causeText(order: PlacedOrder, reason: AttentionReason): string {
  const { name } = causeWords(order, reason)
  const since = order.attention.find((cause) => cause.reason === reason)?.since
  if (reason !== 'disputed' || since === undefined) return name
  const dueAt = answerDueAt(order)
  return `${name} on ${since.slice(0, 10)}${dueAt === undefined ? '' : `, answer due by ${dueAt.slice(0, 10)}`}`
}

function waitingText({ toHandOver, toLookAt }: { toHandOver: number; toLookAt: number }): string {
  const parts = [
    ...(toHandOver > 0 ? [`${orders(toHandOver)} to hand over`] : []),
    ...(toLookAt > 0 ? [`${orders(toLookAt)} to look at`] : []),
  ]
  return parts.length === 0 ? 'No order waits' : parts.join(', ')
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`
}
