import { join } from 'node:path'
import { type Config, parseConfig } from '../config.ts'
import { EVENTS_FILE, logAddress, type LogEngineName, VAULT_FILE } from '../engines/open-engines.ts'
import { type Finding, runCheck, findingLine } from './doctor/finding.ts'
import { lookAtFolder } from './doctor/folder.ts'
import { lookAtMessages } from './doctor/messages.ts'
import { lookAtMongodb } from './doctor/mongodb.ts'
import { lookAtPayments } from './doctor/payments.ts'
import { lookAtPrice } from './doctor/price.ts'
import { lookAtRedis } from './doctor/redis.ts'
import { lookAtSqlite } from './doctor/sqlite.ts'
import { say } from './lines.ts'

interface DoctorOptions {
  readonly payments?: true
  readonly messages?: true
}

export async function doctor({ payments, messages }: DoctorOptions): Promise<void> {
  const config = parseConfig(process.env)
  const findings =
    payments || messages
      ? [...(payments ? await lookAtPayments(config) : []), ...(messages ? await lookAtMessages(config) : [])]
      : await look(config)
  for (const finding of findings) say(findingLine(finding))
  if (findings.some(({ must }) => must !== undefined)) process.exitCode = 1
}

async function look(config: Config): Promise<Finding[]> {
  const { DATA_DIR, VAULT_URL, MONGODB_URL, REDIS_URL } = config
  const { engine, at } = logAddress(config)
  const sqlite = (part: string, file: string): Finding => ({ part, ...lookAtSqlite(join(DATA_DIR, file)) })
  const looks: Record<LogEngineName, () => Promise<Finding>> = {
    sqlite: async () => ({ part: 'log', ...lookAtSqlite(join(DATA_DIR, EVENTS_FILE), { isLog: true }) }),
    eventstoredb: async () =>
      runCheck('log', async () => {
        const { lookAtEventstoredb } = await import('./doctor/eventstoredb.ts')
        return lookAtEventstoredb(config, at)
      }),
  }
  const engines = Promise.all([
    looks[engine](),
    VAULT_URL === undefined
      ? sqlite('vault', VAULT_FILE)
      : runCheck('vault', async () => lookAtMongodb('VAULT_URL', VAULT_URL)),
    MONGODB_URL === undefined
      ? { part: 'views', facts: 'files of DATA_DIR, nothing to keep: they are built again from the log' }
      : runCheck('views', async () => lookAtMongodb('MONGODB_URL', MONGODB_URL)),
    REDIS_URL === undefined
      ? { part: 'queue', facts: 'in process, nothing to keep: the sweep finds all work again' }
      : runCheck('queue', async () => lookAtRedis(REDIS_URL)),
    runCheck('folder', async () => lookAtFolder(DATA_DIR)),
  ])
  return [...(await engines), ...(await lookAtPrice(config))]
}
