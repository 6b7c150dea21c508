const DRIVER = /node_modules[\\/](?:@eventstore[\\/]db-client|@grpc[\\/]grpc-js)[\\/]/
let isTaken = false

/**
 * Keeps the process alive where the driver leaves a rejection to nobody: of a call on a channel that was closed meanwhile, or of a discovery that
 * failed. The call itself ends by its time-out. Other rejections end the process as ever.
 */
export function takeRejectionsOfDriver(): void {
  if (isTaken) return
  isTaken = true
  process.on('unhandledRejection', (reason) => {
    if (!isOfDriver(reason)) throw reason
  })
}

function isOfDriver(reason: unknown): boolean {
  return reason instanceof Error && DRIVER.test(reason.stack ?? '')
}
