import type { Position } from '../event-store/event-store.ts'
import { SHOP_STREAM } from '../domain/stream-names.ts'
import { resetKnownHead } from '../shop/log-head.ts'
import { callerFor, type Caller, nowText, type Shop } from '../shop/shop.ts'

/** What may have been appended after the head was last kept. */
const SERIALS_MARGIN = 10_000

/**
 * The log has lost its end for good, and the shop goes on with what is left. The log records it, serials that the lost events may have given are never given
 * again, and the vault forgets the old head last, so that after a crash in between it is done once more. Views of the lost events must be dropped before. Rejects with AppendConflict while another process writes.
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

/** No fewer than there were: positions of every engine are numbers that grow by at least one with each event. */
function eventsBetween(from: Position, to: Position): number {
  return Math.max(0, Number(to) - Number(from))
}
