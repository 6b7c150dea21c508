import { countBelow, type ProposedEvent, type RecordedEvent } from './events.ts'
import { openDoubleFile } from './file.ts'

export type ExpectedRevision = number | 'any' | 'no_stream'

export type Written =
  | { readonly isWritten: true; readonly revision: number; readonly position: number | undefined }
  /** -1: the stream has no events. */
  | { readonly isWritten: false; readonly currentRevision: number }

export interface DoubleLog {
  /** Resolves when the append is on disk and readable. Synchronous up to its decision. */
  append(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): Promise<Written>
  /** Events that readers see, in the order of the log. */
  readonly all: readonly RecordedEvent[]
  /** Undefined where the stream has no readable events. */
  readStream(stream: string): readonly RecordedEvent[] | undefined
  /** Resolves at the next append or `wake`. */
  changed(): Promise<void>
  wake(): void
  close(): Promise<void>
}

/** The storage of one server: its file, and the check of revisions and ids. */
export async function openDoubleLog({
  file: name,
  now = Date.now,
  syncMs,
}: {
  readonly file?: string
  readonly now?: () => number
  readonly syncMs?: number
}): Promise<DoubleLog> {
  const file = openDoubleFile(name, syncMs === undefined ? {} : { syncMs })
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
    async append(stream, expected, events) {
      const past = streams.get(stream) ?? []
      const decision = decide(past, expected, events)
      if (decision === 'conflict') return { isWritten: false, currentRevision: past.length - 1 }
      if (decision === 'write') return write(stream, events)
      // It may be another's that is under way.
      await file.append([])
      return { isWritten: true, revision: decision.revision, position: decision.position }
    },
    all: readable,
    readStream(stream) {
      const head = readable.at(-1)?.position ?? -1
      const all = streams.get(stream) ?? []
      const past = all.slice(0, countBelow(all, 'position', head + 1))
      return past.length === 0 ? undefined : past
    },
    changed: async () => changes.promise,
    wake,
    async close() {
      await file.append([])
      wake()
      await file.close()
    },
  }
}

/** Positions are byte offsets, as the server's. */
function sizeOf({ data, metadata }: Pick<ProposedEvent, 'data' | 'metadata'>): number {
  return 100 + data.length + metadata.length
}

/** With a revision, or for no stream: ids are compared with what stands there. Otherwise with all that this stream holds. */
function decide(
  past: readonly RecordedEvent[],
  expected: ExpectedRevision,
  events: readonly ProposedEvent[],
): 'write' | 'conflict' | RecordedEvent {
  const current = past.length - 1
  if (expected === 'any') {
    const known = events.map(({ id }) => past.findLast((event) => event.id === id))
    if (known[0] === undefined) return 'write'
    return known.includes(undefined) ? 'conflict' : (known.at(-1) ?? 'conflict')
  }
  const revision = expected === 'no_stream' ? -1 : expected
  if (revision === current) return 'write'
  const isSame = events.every(({ id }, index) => past[revision + 1 + index]?.id === id)
  return (isSame && past[revision + events.length]) || 'conflict'
}
