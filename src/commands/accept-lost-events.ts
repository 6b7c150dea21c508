import { SERIAL_MAX } from '../domain/order-number.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { SHOP_STREAM, STOCK_STREAM } from '../domain/stream-names.ts'
import { forgetBuyersAfter } from '../shop/known-buyers.ts'
import { resetKnownHead } from '../shop/log-head.ts'
import { callerFor, type Caller, nowText, type CommandContext } from '../shop/command-context.ts'

/** Allowance for events appended after the head was last saved. */
const SERIALS_MARGIN = 10_000
/** More orders than the fastest shop places: with an older copy of log and vault, only the elapsed time limits what was lost. */
const SERIALS_PER_SECOND = 4_000
/** Share of the serials left that may be skipped by time, so that no very old copy or wrong clock can use them up. */
const SERIALS_SHARE_MAX = 0.01

/**
 * Records that the log's newest events are lost for good, and skips serials that they may have assigned. Saves the vault's head
 * last, so that this is repeated after a crash. Drop the views first. Rejects with AppendConflict while another process writes.
 */
export async function acceptLostEvents(
  context: Pick<CommandContext, 'log' | 'vault' | 'hot' | 'clock'>,
  caller: Caller,
  { knownHead, head }: { knownHead: Position; head: Position },
): Promise<void> {
  await context.hot.load()
  const { inventory } = context.hot
  const { lastSerial } = inventory.state
  const ofShop = await context.log.readStream(SHOP_STREAM)
  const newest = [...ofShop, ...(await context.log.readStream(STOCK_STREAM, Math.max(0, inventory.revision)))]
  const byTime = Math.min(
    SERIALS_PER_SECOND * secondsSince(newest, context.clock.now()),
    Math.floor((SERIAL_MAX - lastSerial) * SERIALS_SHARE_MAX),
  )
  const skip = lastSerial + eventsBetween(head, knownHead) + byTime + SERIALS_MARGIN
  await context.hot.changeStock(
    { type: 'SkipSerials', lastSerial: skip, at: nowText(context) },
    callerFor(caller, 'skip-serials'),
  )
  const event = { type: 'LostEventsAccepted', data: { knownHead, head, at: nowText(context) } } as const
  await context.log.append(SHOP_STREAM, ofShop.length - 1, [{ event, caller: callerFor(caller, 'accept') }])
  await forgetBuyersAfter(context.vault, head)
  await resetKnownHead(context.vault, await context.log.head())
}

/** Seconds since the newest event; 0 if this clock is behind it. */
function secondsSince(events: readonly RecordedEvent[], nowMs: number): number {
  const newestMs = Math.max(...events.map(({ recordedAt }) => recordedAt))
  return Math.ceil(Math.max(0, nowMs - newestMs) / 1_000)
}

/** An upper bound: positions of every engine are numbers that grow by at least one with each event. */
function eventsBetween(from: Position, to: Position): number {
  return Math.max(0, Number(to) - Number(from))
}
