import express, { type Request, Router } from 'express'
import type { Registry } from 'prom-client'
import type { ApiOptions, Probe } from '../api.ts'
import { shopServer, type ShopServer } from '../http/shop-server.ts'
import { isSameSecret } from '../../shop/same-secret.ts'
import { TryAgain } from '../../ports/try-again.ts'
import { inTime } from '../../ports/in-time.ts'

const PROBE_MS = 2_000

type HealthOptions = Pick<ApiOptions, 'build' | 'probes' | 'warnings' | 'metrics' | 'metricsToken'> & {
  /** The API's own metrics, printed before `metrics`. */
  readonly ownMetrics?: Registry
}

/** `/healthz`, `/readyz` and `/metrics` of a process that serves nothing else. */
export function healthServer(options: HealthOptions): ShopServer {
  const app = express()
  app.disable('x-powered-by')
  app.use(healthRoutes(options))
  return shopServer(app)
}

/** Liveness, readiness and metrics, for operators. Each has one exact address, since a proxy hides two of them. */
export function healthRoutes({ build, probes, warnings = {}, ownMetrics, ...options }: HealthOptions): Router {
  const { metrics, metricsToken } = options
  const router = Router({ caseSensitive: true, strict: true })
  const alive = `ok ${build.version} ${build.commit}\n`
  router.get('/healthz', (_request, response) => void response.type('text').send(alive))
  router.get('/readyz', async (_request, response) => {
    const [reasons, warned] = await Promise.all([failuresOf(probes), failuresOf(warnings)])
    const ready = Object.keys(reasons).length === 0
    response
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ ready, reasons, ...(Object.keys(warned).length > 0 && { warnings: warned }) })
  })
  router.get('/metrics', async (request, response, next) => {
    // The shop's metrics are not public.
    if (!hasToken(request, metricsToken)) {
      next()
      return
    }
    const text = `${(await ownMetrics?.metrics()) ?? ''}${(await metrics?.()) ?? ''}`
    response.set('Cache-Control', 'no-store').type('text/plain; version=0.0.4').send(text)
  })
  return router
}

async function failuresOf(probes: Readonly<Record<string, Probe>>): Promise<Record<string, string>> {
  const checks = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await failureOf(probe)] as const),
  )
  return Object.fromEntries(checks.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])))
}

/** Why a part cannot serve, in one line; undefined if it can. */
export async function failureOf(probe: Probe): Promise<string | undefined> {
  try {
    return await inTime(probe(), PROBE_MS, 'does not answer')
  } catch (error) {
    return sentenceOf(error)
  }
}

/** `/readyz` is public, so details are only logged. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof TryAgain)) return 'has failed: the log of this process says why'
  return error.code.endsWith('-away') ? 'cannot be reached or used now' : 'is too busy to answer'
}

function hasToken(request: Request, token: string | undefined): boolean {
  return token !== undefined && isSameSecret(request.get('authorization') ?? '', `Bearer ${token}`)
}
