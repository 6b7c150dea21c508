import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { RecordedEvent } from './events.ts'

const HEADER = '{"format":"a double of EventStoreDB, for tests"}\n'
const NEW_LINE = 10

/** One event a line, so that the offset of its line is its position. */
const Line = z.object({
  stream: z.string(),
  revision: z.int(),
  id: z.string(),
  type: z.string(),
  contentType: z.string(),
  data: z.base64(),
  metadata: z.base64(),
  createdMs: z.number(),
  isLastOfAppend: z.boolean(),
})

export interface DoubleFile {
  /** Where the next event begins. */
  readonly end: number
  readonly events: RecordedEvent[]
  /** Resolves when they are on disk. Concurrent appends share one fsync; `isWritten` is called before the next begins. */
  append(bytes: Buffer, isWritten: () => void): Promise<void>
  close(): Promise<void>
}

/** In memory where it has no name. */
export async function openDoubleFile(name: string | undefined, { syncMs = 0 } = {}): Promise<DoubleFile> {
  const { events, end } = name === undefined ? { events: [], end: HEADER.length } : contentOf(name)
  const handle = name === undefined ? undefined : await open(name, 'a')
  let waiting: { bytes: Buffer; settle: (trouble?: string) => void }[] = []
  let isFlushing = false

  async function flush(): Promise<void> {
    isFlushing = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const bytes = Buffer.concat(batch.map((append) => append.bytes))
      const store = async (): Promise<void> => {
        if (bytes.length === 0) return
        await handle?.appendFile(bytes)
        await handle?.datasync()
        if (syncMs > 0) await pause(syncMs)
      }
      const trouble = await store().then(() => undefined, String)
      for (const { settle } of batch) settle(trouble)
    }
    isFlushing = false
  }

  return {
    end,
    events,
    append: async (bytes, isWritten) =>
      new Promise((resolve, reject) => {
        const settle = (trouble?: string): void => {
          if (trouble !== undefined) return reject(new Error(`the double cannot write: ${trouble}`))
          isWritten()
          resolve()
        }
        waiting.push({ bytes, settle })
        if (!isFlushing) void flush()
      }),
    close: async () => handle?.close(),
  }
}

export function lineOf(event: Omit<RecordedEvent, 'position'>, isLastOfAppend: boolean): Buffer {
  const data = Buffer.from(event.data).toString('base64')
  const metadata = Buffer.from(event.metadata).toString('base64')
  return Buffer.from(`${JSON.stringify({ ...event, data, metadata, isLastOfAppend })}\n`)
}

/** Of whole appends; one that a crash cut off is removed from the file. */
function contentOf(file: string): { events: RecordedEvent[]; end: number } {
  writeHeader(file)
  const bytes = readFileSync(file)
  const events: RecordedEvent[] = []
  let end = HEADER.length
  let count = 0
  for (let from = end, to = 0; (to = bytes.indexOf(NEW_LINE, from) + 1) > 0; from = to) {
    const { isLastOfAppend, data, metadata, ...line } = Line.parse(JSON.parse(bytes.toString('utf8', from, to)))
    const decoded = { data: Buffer.from(data, 'base64'), metadata: Buffer.from(metadata, 'base64') }
    events.push({ ...line, ...decoded, position: from })
    if (!isLastOfAppend) continue
    end = to
    count = events.length
  }
  truncateSync(file, end)
  return { events: events.slice(0, count), end }
}

function writeHeader(file: string): void {
  const descriptor = openSync(file, 'a')
  if (readFileSync(file).length < HEADER.length) {
    truncateSync(file, 0)
    writeSync(descriptor, HEADER)
  }
  closeSync(descriptor)
}
