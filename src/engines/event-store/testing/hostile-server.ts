import { freePort } from '../../../ports/testing/free-port.ts'
import { type Services, startServer } from './eventstoredb-double/services.ts'

/** A server that answers as a test wants it to. It keeps nothing. */
export async function hostileServer(services: Services): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const running = await startServer(port, services)
  return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => running.close() }
}
