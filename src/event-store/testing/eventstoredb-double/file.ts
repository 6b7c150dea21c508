import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedEvent } from './events.ts'

export interface DoubleFile {
  readonly events: RecordedEvent[]
  /** Resolves when they are on disk; one append after the other. */
  append(events: readonly RecordedEvent[]): Promise<void>
  close(): Promise<void>
}

/** In memory where it has no name. */
export function openDoubleFile(name: string | undefined, { syncMs = 0 } = {}): DoubleFile {
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
    async append(events) {
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
