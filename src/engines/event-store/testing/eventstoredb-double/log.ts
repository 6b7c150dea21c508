import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

export interface ProposedEvent {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface RecordedEvent extends ProposedEvent {
  readonly stream: string
  readonly revision: number
  /** Byte offset in the log; commit and prepare position in one. */
  readonly position: number
  readonly createdMs: number
}

/** How many of these events, whose places rise, lie below a place. */
export function countBelow(events: readonly RecordedEvent[], place: 'revision' | 'position', below: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((events[middle]?.[place] ?? Infinity) < below) low = middle + 1
    else high = middle
  }
  return low
}

export type ExpectedRevision = number | 'no_stream'

export type Written =
  | { readonly isWritten: true; readonly revision: number; readonly position: number | undefined }
  /** -1: the stream has no events. */
  | { readonly isWritten: false; readonly currentRevision: number }

/** The storage of one server: its file, and the check of revisions and ids. */
/** As measured at 24.2 and 24.10. */
const COMMIT_TIMEOUT_MS = 2_700

// oxlint-disable-next-line max-lines-per-function -- what a server stores, and what changes it
export async function openDoubleLog({
  file: name,
  now = Date.now,
  syncMs = 0,
}: {
  readonly file?: string
  readonly now?: () => number
  readonly syncMs?: number
}) {
  const file = openDoubleFile(name, syncMs)
  let end = 0
  const readable: RecordedEvent[] = []
  const streams = new Map<string, RecordedEvent[]>()
  for (const event of file.events) {
    pastOf(event.stream).push(event)
    readable.push(event)
    end = event.position + sizeOf(event)
  }
  let changes = Promise.withResolvers<void>()

  function pastOf(stream: string): RecordedEvent[] {
    const past = streams.get(stream) ?? []
    streams.set(stream, past)
    return past
  }

  function wake(): void {
    changes.resolve()
    changes = Promise.withResolvers<void>()
  }

  async function write(stream: string, proposed: readonly ProposedEvent[]): Promise<Written> {
    const past = pastOf(stream)
    const events = proposed.map(({ id, type, contentType, data, metadata }) => {
      const event = { id, type, contentType, data, metadata, stream, revision: past.length, createdMs: now() }
      const recorded = { ...event, position: end }
      end += sizeOf(event)
      past.push(recorded)
      return recorded
    })
    await file.append(events)
    readable.push(...events)
    wake()
    const { revision, position } = events.at(-1) ?? { revision: 0, position: undefined }
    return { isWritten: true, revision, position }
  }

  return {
    /** Resolves when the append is on disk and readable. Synchronous up to its decision. */
    async append(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): Promise<Written> {
      const past = streams.get(stream) ?? []
      const decision = decide(past, expected, events)
      if (decision === 'conflict') return { isWritten: false, currentRevision: past.length - 1 }
      if (decision === 'write') return write(stream, events)
      if (decision.position > (readable.at(-1)?.position ?? -1)) {
        await pause(COMMIT_TIMEOUT_MS)
        throw new RepeatDropped()
      }
      return { isWritten: true, revision: decision.revision, position: decision.position }
    },
    /** Events that readers see, in the order of the log. */
    all: readable as readonly RecordedEvent[],
    /** Undefined where the stream has no readable events. */
    readStream(stream: string): readonly RecordedEvent[] | undefined {
      const head = readable.at(-1)?.position ?? -1
      const all = streams.get(stream) ?? []
      const known = all.slice(0, countBelow(all, 'position', head + 1))
      const past = shown(known, streams.get(`$$${stream}`)?.at(-1))
      return past.length === 0 ? undefined : past
    },
    isDeleted: (stream: string): boolean => streams.get(stream)?.at(-1)?.type === '$streamDeleted',
    /** As `tombstoneStream`: for ever. Its event has the highest revision. */
    tombstone(stream: string): void {
      const event = { ...someSystemEvent('$streamDeleted', {}), stream, createdMs: now(), position: end }
      end += sizeOf(event)
      const recorded = { ...event, revision: Number(2n ** 63n - 1n) }
      pastOf(stream).push(recorded)
      readable.push(recorded)
      wake()
    },
    /** As `setStreamMetadata`. A soft deletion sets $tb to the highest revision. */
    async setMetadata(stream: string, metadata: object): Promise<void> {
      await write(`$$${stream}`, [someSystemEvent('$metadata', metadata)])
    },
    /** Resolves at the next append or `wake`. */
    changed: async () => changes.promise,
    wake,
    async close() {
      await file.append([])
      wake()
      await file.close()
    },
  }
}

/** A repeat of an append that is not on disk yet: the server drops it, and answers when its time is over. */
export class RepeatDropped extends Error {}

export type DoubleLog = Awaited<ReturnType<typeof openDoubleLog>>

/** What readers see of a stream with these settings. */
function shown(events: readonly RecordedEvent[], settings: RecordedEvent | undefined): readonly RecordedEvent[] {
  if (!settings) return events
  const { $tb = 0, $maxCount = Infinity } = JSON.parse(Buffer.from(settings.data).toString()) as Record<string, number>
  const whole = events.filter(({ revision }) => revision >= $tb)
  return whole.slice(Math.max(0, whole.length - $maxCount))
}

function someSystemEvent(type: string, data: object): ProposedEvent {
  const text = JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  const content = { data: Buffer.from(text), metadata: Buffer.alloc(0) }
  return { id: randomUUID(), type, contentType: 'application/json', ...content }
}

/** Positions are byte offsets, as the server's. */
function sizeOf({ data, metadata }: Pick<ProposedEvent, 'data' | 'metadata'>): number {
  return 100 + data.length + metadata.length
}

/** An append at an older revision is a repeat if its ids are those that stand there. */
function decide(
  past: readonly RecordedEvent[],
  expected: ExpectedRevision,
  events: readonly ProposedEvent[],
): 'write' | 'conflict' | RecordedEvent {
  const current = past.length - 1
  const revision = expected === 'no_stream' ? -1 : expected
  if (revision === current) return 'write'
  const isSame = events.every(({ id }, index) => past[revision + 1 + index]?.id === id)
  return (isSame && past[revision + events.length]) || 'conflict'
}

/** In memory where it has no name. */
function openDoubleFile(name: string | undefined, syncMs: number) {
  const database = new DatabaseSync(name ?? ':memory:')
  database.exec('CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT')
  const insert = database.prepare('INSERT INTO events VALUES (?, ?)')
  let last = Promise.resolve()

  async function write(events: readonly RecordedEvent[]): Promise<void> {
    if (events.length === 0) return
    database.exec('BEGIN')
    for (const event of events) insert.run(event.position, textOf(event))
    database.exec('COMMIT')
    if (syncMs > 0) await pause(syncMs)
  }

  return {
    events: database
      .prepare('SELECT event FROM events ORDER BY position')
      .all()
      .map((row) => eventIn(String(row['event']))),
    /** Resolves when they are on disk; one append after the other. */
    async append(events: readonly RecordedEvent[]): Promise<void> {
      last = last.then(async () => write(events))
      await last
    },
    async close() {
      await last
      database.close()
    },
  }
}

function textOf({ data, metadata, ...event }: RecordedEvent): string {
  const [data64, metadata64] = [data, metadata].map((bytes) => Buffer.from(bytes).toString('base64'))
  return JSON.stringify({ ...event, data: data64, metadata: metadata64 })
}

function eventIn(text: string): RecordedEvent {
  const event = JSON.parse(text) as Omit<RecordedEvent, 'data' | 'metadata'> & { data: string; metadata: string }
  return { ...event, data: Buffer.from(event.data, 'base64'), metadata: Buffer.from(event.metadata, 'base64') }
}
