import { oneLine } from '../../ports/one-line.ts'

const DRIVER = /node_modules[\\/](?:@eventstore[\\/]db-client|@grpc[\\/]grpc-js)[\\/]/
const SAID_EVERY_MS = 60_000
let isTaken = false

/**
 * Keeps the process alive where the driver leaves a rejection unhandled: of a call on a channel that was closed meanwhile, or of a discovery that
 * failed. The call itself ends by its time-out. Other rejections end the process as ever.
 */
export function takeRejectionsOfDriver(): void {
  if (isTaken) return
  isTaken = true
  process.on('unhandledRejection', driverRejections({ say: onStderr, now: () => performance.now() }))
}

/** Throws what is not of the driver. */
export function driverRejections({ say, now }: { say: (line: string) => void; now: () => number }) {
  let saidAt = -SAID_EVERY_MS
  return (reason: unknown): void => {
    if (!(reason instanceof Error) || !DRIVER.test(reason.stack ?? '')) throw reason
    if (now() - saidAt < SAID_EVERY_MS) return
    saidAt = now()
    say(`the driver of EventStoreDB failed outside a call: ${oneLine(reason)}`)
  }
}

function onStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
