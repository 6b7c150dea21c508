import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../domain/refusal.ts'
import { type EventLog, lastPosition } from '../event-store/event-log.ts'
import { type Position, START, type StoredEvent } from '../event-store/event-store.ts'
import type { Vault } from '../vault/vault.ts'

/** In the vault, so that an older copy of it has an older one: this vault knows the buyers of all orders up to this position. */
const BUYERS_KNOWN = 'buyers-known'
/** Within the limit of `keysOf`. */
const PAGE = 1_000
const LOOK_EVERY_MS = 60_000

type LogAndVault = { readonly log: EventLog; readonly vault: Vault }

/** Orders whose buyer the vault does not know, from `mark` up to `reached`. */
interface Counted {
  readonly mark: Position
  readonly reached: Position
  readonly orders: number
}

/** Continues from `before` while the vault's mark is the same. */
export async function countUnreadable(
  { log, vault }: LogAndVault,
  { before, signal }: { before?: Counted | undefined; signal?: AbortSignal } = {},
): Promise<Counted> {
  const mark = (await vault.readMark(BUYERS_KNOWN)) ?? START
  let { reached, orders } = before?.mark === mark ? before : { reached: mark, orders: 0 }
  let known = orders === 0 ? reached : mark
  for (;;) {
    const page = await log.readAllStored({ after: reached, limit: PAGE })
    const unknown = await unreadableIn({ log, vault }, page)
    const [first] = unknown
    if (orders === 0) known = first ? (page[page.indexOf(first) - 1]?.position ?? reached) : lastOf(page, reached)
    orders += unknown.length
    reached = lastOf(page, reached)
    if (page.length < PAGE || signal?.aborted) break
  }
  if (known > mark) await vault.raiseMark(BUYERS_KNOWN, known)
  return { mark: known > mark ? known : mark, reached, orders }
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

function lastOf(page: readonly StoredEvent[], before: Position): Position {
  return page.length === 0 ? before : lastPosition(page)
}

/** Every buyer up to here is known, or counts as erased. */
export async function acceptBuyers(vault: Pick<Vault, 'raiseMark'>, upTo: Position): Promise<void> {
  await vault.raiseMark(BUYERS_KNOWN, upTo)
}

/** The log ends here now, and what comes after it is looked at again. */
export async function forgetBuyersAfter(vault: Pick<Vault, 'readMark' | 'setMark'>, head: Position): Promise<void> {
  if (((await vault.readMark(BUYERS_KNOWN)) ?? START) > head) await vault.setMark(BUYERS_KNOWN, head)
}

/** One line for operators: what it is, and the way out. */
export function unreadableText(orders: number): string {
  const [what, whose] = orders === 1 ? ['1 order', "its buyer's key"] : [`${orders} orders`, "their buyers' keys"]
  return `${what} cannot be read: the vault does not know ${whose}; put its newest copy back (docs/operations.md, Restore), or where that is lost run npm run admin -- accept-lost-customers`
}

/** Unreadable buyers cannot be erased now: a newer copy of the vault would bring them back. */
export async function assertAllReadable(shop: LogAndVault): Promise<void> {
  const { orders } = await countUnreadable(shop)
  if (orders > 0) throw new Refusal('customer/some-unreadable', `Nobody is erased now: ${unreadableText(orders)}`)
}

/** Counts again and again, since the vault of a running shop may be replaced. */
export class UnreadableOrders {
  private readonly options: LogAndVault & { readonly onFound: (orders: number) => void }
  private readonly stopping = new AbortController()
  private counted: Counted | undefined
  private running: Promise<void> = Promise.resolve()

  constructor(options: UnreadableOrders['options']) {
    this.options = options
  }

  /** As of the last look. */
  get orders(): number {
    return this.counted?.orders ?? 0
  }

  start(): void {
    this.running = this.lookAgainAndAgain()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  private async lookAgainAndAgain(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const { orders: before } = this
      try {
        this.counted = await countUnreadable(this.options, { before: this.counted, signal: this.stopping.signal })
        if (this.orders > before) this.options.onFound(this.orders)
      } catch {
        // The probes of log and vault say that they are away; the next look counts on.
      }
      await pause(LOOK_EVERY_MS, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined)
    }
  }
}
