import type { Position } from '../event-store/event-store.ts'
import { SHOP_STREAM } from '../domain/stream-names.ts'
import { resetKnownHead } from '../shop/log-head.ts'
import { callerFor, type Caller, nowText, type Shop } from '../shop/shop.ts'

/** Allowance for events appended after the head was last saved. */
const SERIALS_MARGIN = 10_000

/**
 * For a log that has lost its newest events for good. The log records the loss, serials that the lost events may have given are never given
 * again, and the vault's saved head changes last, so that a crash in between repeats it. Drop the views first. Rejects with AppendConflict while another process writes.
 */
export async function acceptLostEvents(
  shop: Pick<Shop, 'log' | 'vault' | 'hot' | 'clock'>,
  caller: Caller,
  { knownHead, head }: { knownHead: Position; head: Position },
): Promise<void> {
  await shop.hot.load()
  const { lastSerial } = shop.hot.inventory.state
  const skip = lastSerial + eventsBetween(head, knownHead) + SERIALS_MARGIN
  await shop.hot.changeStock(
    { type: 'SkipSerials', lastSerial: skip, at: nowText(shop) },
    callerFor(caller, 'skip-serials'),
  )
  const event = { type: 'LostEventsAccepted', data: { knownHead, head, at: nowText(shop) } } as const
  const revision = (await shop.log.readStream(SHOP_STREAM, 0)).length - 1
  await shop.log.append(SHOP_STREAM, revision, [{ event, caller: callerFor(caller, 'accept') }])
  await resetKnownHead(shop.vault, await shop.log.head())
}

/** An upper bound: positions of every engine are numbers that grow by at least one with each event. */
function eventsBetween(from: Position, to: Position): number {
  return Math.max(0, Number(to) - Number(from))
}
