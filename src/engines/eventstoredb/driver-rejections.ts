import { oneLine } from '../../ports/one-line.ts'

const DRIVER = /node_modules[\\/](?:@eventstore[\\/]db-client|@grpc[\\/]grpc-js)[\\/]/
const REPORT_EVERY_MS = 60_000
let isInstalled = false

/**
 * Keeps the process alive when the driver leaves a rejection unhandled: a call on a closed channel, or a failed discovery.
 * The call itself times out. Other unhandled rejections end the process as usual.
 */
export function handleDriverRejections(): void {
  if (isInstalled) return
  isInstalled = true
  process.on('unhandledRejection', driverRejections({ say: onStderr, now: () => performance.now() }))
}

/** Logs the driver's rejections; rethrows all others. */
export function driverRejections({ say, now }: { say: (line: string) => void; now: () => number }) {
  let reportedAt = -REPORT_EVERY_MS
  return (reason: unknown): void => {
    if (!(reason instanceof Error) || !DRIVER.test(reason.stack ?? '')) throw reason
    if (now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now()
    say(`the driver of EventStoreDB failed outside a call: ${oneLine(reason)}`)
  }
}

function onStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
