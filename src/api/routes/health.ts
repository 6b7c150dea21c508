import { Router } from 'express'
import type { ApiOptions, Probe } from '../api.ts'
import { inTime } from '../in-time.ts'

const PROBE_MS = 2_000

export type HealthOptions = Pick<ApiOptions, 'probes' | 'metrics'> & {
  /** Figures of whoever serves this. */
  readonly ownMetrics?: () => string
}

/** For whoever runs the shop: is it alive, can it serve, how much does it do. */
export function healthRoutes({ probes, metrics, ownMetrics }: HealthOptions): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => void response.type('text').send('ok\n'))
  router.get('/readyz', async (_request, response) => {
    const checks = await Promise.all(Object.entries(probes).map(async ([name, probe]) => [name, await answerOf(probe)]))
    const reasons = Object.fromEntries(checks.filter(([, reason]) => reason !== undefined)) as Record<string, string>
    const ready = Object.keys(reasons).length === 0
    response
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ ready, reasons })
  })
  router.get('/metrics', async (request, response, next) => {
    // For the machine's own network: what the shop sells is nobody else's business.
    if (!isPrivate(request.socket.remoteAddress) || request.headers['x-forwarded-for'] !== undefined) {
      next()
      return
    }
    const text = `${ownMetrics?.() ?? ''}${(await metrics?.()) ?? ''}`
    response.set('Cache-Control', 'no-store').type('text/plain; version=0.0.4').send(text)
  })
  return router
}

/** Why a part cannot serve, in one line; undefined where it can. Never takes long. */
export async function answerOf(probe: Probe): Promise<string | undefined> {
  try {
    return await inTime(probe(), PROBE_MS, 'does not answer')
  } catch (error) {
    return error instanceof Error ? error.name : 'failed'
  }
}

function isPrivate(address: string | undefined): boolean {
  return /^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]/i.test(address ?? '')
}
