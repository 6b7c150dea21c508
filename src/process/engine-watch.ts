import type { Logger } from 'pino'
import type { Probe } from '../api/api.ts'
import { inTime } from '../ports/in-time.ts'
import { logLine } from '../ports/one-line.ts'

const CHECK_EVERY_MS = 5_000
const ANSWER_MS = 2_000

/** Logs once when an engine is away and once when it is back. Returns a function to end the watch. */
export function watchEngines(
  probes: Readonly<Record<string, Probe>>,
  logger: Pick<Logger, 'info' | 'error'>,
  everyMs = CHECK_EVERY_MS,
): () => void {
  const awaySince = new Map<string, number>()
  let isChecking = false

  async function checkEngine(engine: string, probe: Probe): Promise<void> {
    const reason = await reasonOf(probe)
    const since = awaySince.get(engine)
    if (reason !== undefined && since === undefined) {
      awaySince.set(engine, performance.now())
      logger.error({ engine, reason }, 'an engine is away')
    }
    if (reason === undefined && since !== undefined) {
      awaySince.delete(engine)
      logger.info({ engine, awayS: Math.round((performance.now() - since) / 1_000) }, 'an engine is back')
    }
  }

  async function checkAll(): Promise<void> {
    if (isChecking) return
    isChecking = true
    await Promise.all(Object.entries(probes).map(async ([engine, probe]) => checkEngine(engine, probe)))
    isChecking = false
  }

  const timer = setInterval(() => void checkAll(), everyMs).unref()
  return () => clearInterval(timer)
}

async function reasonOf(probe: Probe): Promise<string | undefined> {
  try {
    return await inTime(probe(), ANSWER_MS, `it does not answer within ${ANSWER_MS / 1_000} s`)
  } catch (error) {
    return logLine(error)
  }
}
