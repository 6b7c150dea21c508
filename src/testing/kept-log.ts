import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

/** A log that keeps its lines, except those about slow requests, which any request may cause on a busy machine. */
export function keptLog(level = 'info'): { readonly lines: readonly string[]; readonly logger: Logger } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!chunk.includes('a request was slow')) lines.push(chunk.toString())
      done()
    },
  })
  return { lines, logger: pino({ level }, stream) }
}
