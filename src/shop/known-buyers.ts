import { Refusal } from '../domain/refusal.ts'
import { type EventLog, lastPosition } from '../log/event-log.ts'
import { type Position, START, type StoredEvent } from '../engines/event-store/event-store.ts'
import { logPages } from '../log/log-pages.ts'
import type { Vault } from '../engines/vault/vault.ts'

/** Name of a mark in the vault: up to that position, the vault knows all buyers. An older copy has an older mark. */
export const BUYERS_KNOWN = 'buyers-known'

type LogAndVault = { readonly log: EventLog; readonly vault: Vault }

/** Counts orders after the mark whose buyer the vault does not know, and raises the mark to just before the first. */
export async function countUnreadable(
  { log, vault }: LogAndVault,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  const mark = (await vault.readMark(BUYERS_KNOWN)) ?? START
  let [reached, knownTo, orders] = [mark, mark, 0]
  for await (const page of logPages((asked) => log.readAllStored(asked), { after: mark, signal })) {
    const unknown = await unreadableIn({ log, vault }, page)
    const [first] = unknown
    if (orders === 0) knownTo = first ? (page[page.indexOf(first) - 1]?.position ?? reached) : lastPosition(page)
    orders += unknown.length
    reached = lastPosition(page)
  }
  if (knownTo > mark) await vault.raiseMark(BUYERS_KNOWN, knownTo)
  return orders
}

async function unreadableIn({ log, vault }: LogAndVault, page: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const placed = page.flatMap((stored) => {
    const event = stored.type === 'OrderPlaced' ? log.decode(stored) : undefined
    return event?.type === 'OrderPlaced' ? [{ stored, customerId: event.data.customerId }] : []
  })
  if (placed.length === 0) return []
  const keys = await vault.keysOf([...new Set(placed.map(({ customerId }) => customerId))])
  return placed.filter(({ customerId }) => !keys.has(customerId)).map(({ stored }) => stored)
}

/** Marks all buyers up to here as known or erased. */
export async function acceptBuyers(vault: Pick<Vault, 'raiseMark'>, upTo: Position): Promise<void> {
  await vault.raiseMark(BUYERS_KNOWN, upTo)
}

/** After the log lost its end: buyers after `head` are checked again. */
export async function forgetBuyersAfter(vault: Pick<Vault, 'readMark' | 'setMark'>, head: Position): Promise<void> {
  if (((await vault.readMark(BUYERS_KNOWN)) ?? START) > head) await vault.setMark(BUYERS_KNOWN, head)
}

/** One line for operators: the problem and the remedy. */
export function unreadableText(orders: number): string {
  const [what, whose] = orders === 1 ? ['1 order', "its buyer's key"] : [`${orders} orders`, "their buyers' keys"]
  return `${what} cannot be read: the vault does not know ${whose}; put its newest copy back (docs/operations.md, Restore), or where that is lost run npm run shop -- admin accept-loss`
}

/** Throws if some buyers are unreadable: erased now, they would come back with a newer copy of the vault. */
export async function assertAllReadable(context: LogAndVault): Promise<void> {
  const orders = await countUnreadable(context)
  if (orders > 0) throw new Refusal('customer/some-unreadable', `Nobody is erased now: ${unreadableText(orders)}`)
}
