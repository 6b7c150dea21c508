import { decode } from '../../log/event-codec.ts'
import { keysOf, openSealed, type RecordedEvent } from '../../log/event-log.ts'
import {
  EventStoreDamaged,
  type EventStore,
  type Position,
  START,
  type StoredEvent,
} from '../../engines/event-store/event-store.ts'
import { countOf, foreignText, positionOf, shareOf, shortOf } from '../../engines/event-store/limits.ts'
import { SealBroken } from '../../log/sealing.ts'
import { type Vault, VaultDamaged } from '../../engines/vault/vault.ts'
import type { BooksAudit } from '../../shop/books.ts'
import { causeOf, type Report } from './report.ts'
import { type LogRemedies, remedies } from './remedies.ts'
import type { VaultRead } from './verify-vault.ts'

const PAGE = 1_000

interface LogParts {
  readonly store: EventStore
  /** Undefined if it cannot be opened, or is another shop's. */
  readonly vault: VaultRead | undefined
  readonly audit: BooksAudit | undefined
  readonly logRemedies: LogRemedies
}

export interface LogRead {
  readonly events: number
  readonly orders: number
  readonly head: Position
  /** When the newest event was recorded. */
  readonly recordedAt: number
}

/** Checks every event once, and keeps none: unchanged, in its place, readable, with its buyer. */
export async function verifyLog(parts: LogParts, report: Report): Promise<LogRead> {
  const { store, vault, audit, logRemedies } = parts
  const head = await store.head()
  const streams = new Map<string, number>()
  let [events, orders, recordedAt, lost] = [0, 0, 0, 0]

  function checkRevision({ stream, revision, position }: StoredEvent): void {
    const due = streams.get(stream) ?? 0
    streams.set(stream, revision + 1)
    if (revision === due) return
    // A gap in revisions may be one of the damaged events already reported.
    if (revision > due && revision - due <= lost) lost -= revision - due
    else
      report.wrong(
        'log',
        `${stream} has revision ${revision} at position ${shortOf(position)}, where ${due} should be`,
        logRemedies.log,
      )
  }

  const onLost = (position: Position, error: unknown): void => {
    lost += 1
    const [cause, place] = [causeOf(error), `at position ${shortOf(position)}`]
    report.wrong('log', cause.includes(place) ? cause : `${place}: ${cause}`, logRemedies.log)
  }
  for await (const page of pagesOf(store, head, onLost)) {
    const placed: Placed[] = []
    for (const stored of page) {
      checkRevision(stored)
      const event = decode(stored)
      if (event.type === 'unreadable') {
        report.wrong(
          'log',
          `${event.storedType} ${placeOf(event)} cannot be read (${event.reason})`,
          logRemedies.unreadable,
        )
        continue
      }
      if (event.type === 'OrderPlaced') placed.push(event)
      if (event.type === 'ShopOpened' && vault && event.data.vaultId !== vault.vaultId)
        report.wrong('vault', 'it is the vault of another shop than the log', remedies.mixed)
      if (report.count('log') === 0) audit?.see(event.type === 'OrderPlaced' ? withoutBuyer(event) : event)
    }
    if (vault) await verifySeals(vault.vault, placed, report)
    events += page.length
    orders += placed.length
    recordedAt = page.at(-1)?.recordedAt ?? recordedAt
    report.show(`${events} events, ${shareOf(page.at(-1)?.position ?? head, head)}`)
  }
  const { events: foreign = 0, stream = '' } = store.foreign?.() ?? {}
  if (foreign > 0) report.notChecked('log', `events of others passed over: ${foreign}`, foreignText(stream))
  await verifyEnds(parts, streams, report)
  report.ended('log', `${events} events of ${streams.size} streams, each as it was written`)
  return { events, orders, head, recordedAt }
}

type Placed = Extract<RecordedEvent, { type: 'OrderPlaced' }>

/** The books keep each order, but do not need its buyer. */
function withoutBuyer(event: Placed): Placed {
  return { ...event, data: { ...event.data, personal: '' } }
}

/** Reads a page with a damaged event in ever smaller parts, and skips that event. */
async function* pagesOf(
  store: EventStore,
  head: Position,
  onLost: (position: Position, error: unknown) => void,
): AsyncGenerator<readonly StoredEvent[]> {
  let [after, limit] = [START, PAGE]
  while (after < head) {
    let page: readonly StoredEvent[] = []
    try {
      page = await store.readAll({ after, limit })
    } catch (error) {
      if (!(error instanceof EventStoreDamaged)) throw error
      if (limit === 1) {
        after = error.position ?? positionOf(countOf(after) + 1)
        onLost(after, error)
      }
      limit = Math.ceil(limit / 2)
      continue
    }
    yield page
    after = page.at(-1)?.position ?? head
    limit = Math.min(limit * 2, PAGE)
  }
}

/** Opens the sealed data of each buyer who is not erased. */
async function verifySeals(vault: Vault, placed: readonly Placed[], report: Report): Promise<void> {
  try {
    const keys = await keysOf(
      vault,
      placed.map(({ data }) => data.customerId),
    )
    for (const { data } of placed)
      if (openSealed(data, keys) === 'unreadable')
        throw new VaultDamaged(`the vault does not know the buyer of order ${data.orderNumber}: it is an older copy`)
  } catch (error) {
    if (!(error instanceof SealBroken || error instanceof VaultDamaged)) throw error
    const [first, ...others] = placed
    if (first && others.length === 0)
      return report.wrong('vault', `the buyer of ${placeOf(first)} cannot be read: ${causeOf(error)}`, remedies.buyer)
    for (const one of placed) await verifySeals(vault, [one], report)
  }
}

/** Checks that each stream begins at its first event, and ends with its last one in the log. */
async function verifyEnds(
  { store, logRemedies }: LogParts,
  streams: ReadonlyMap<string, number>,
  report: Report,
): Promise<void> {
  let read = 0
  for (const [stream, next] of streams) {
    await reportDamage(report, logRemedies.log, async () => {
      await store.readStream(stream, { fromRevision: 0, limit: 1 })
      await store.readStream(stream, { fromRevision: next - 1, limit: 2 })
    })
    read += 1
    report.show(`${read} of ${streams.size} streams`)
  }
}

async function reportDamage(report: Report, remedy: string, read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof EventStoreDamaged)) throw error
    report.wrong('log', causeOf(error), remedy)
  }
}

function placeOf({ stream, revision, position }: Pick<StoredEvent, 'stream' | 'revision' | 'position'>): string {
  return `${stream} (revision ${revision}, position ${shortOf(position)})`
}
