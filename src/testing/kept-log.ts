import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

/** A log whose lines are kept. Left out is that a request was slow, which on a busy machine any may be. */
export function keptLog(): { readonly lines: readonly string[]; readonly logger: Logger } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!chunk.includes('a request was slow')) lines.push(chunk.toString())
      done()
    },
  })
  return { lines, logger: pino({ level: 'info' }, stream) }
}
