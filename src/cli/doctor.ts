import { join } from 'node:path'
import { type Config, parseConfig } from '../config.ts'
import { VAULT_FILE } from '../engines.ts'
import { EVENTS_FILE, isLogFile, logAddress, type LogEngineName } from '../log-engines.ts'
import { flag, runCommand } from './command-line.ts'
import { lookAtBuyers } from './doctor/buyers.ts'
import { type Finding, found, lineOf } from './doctor/finding.ts'
import { lookAtFolder } from './doctor/folder.ts'
import { type LogEnd, lookAtLogEnd } from './doctor/log-end.ts'
import { lookAtMongodb } from './doctor/mongodb.ts'
import { lookAtRedis } from './doctor/redis.ts'
import { lookAtSqlite, SQLITE_MS } from './doctor/sqlite.ts'

const LEFT_MS = 500

await runCommand({
  name: 'doctor',
  does: 'looks at every engine that the environment names, and says in a line each what it is and what to do',
  options: { write: flag('EventStoreDB: also writes an event to a stream of its own, and reads it back') },
  notes: `Whether it can be reached, which version it is, whether it keeps what it is told, how far its clock is off.
It changes nothing (but by --write), and the shop may be running. Lines begin with ok, note (the shop runs, but read it) or must (do it).

Exit codes: 0 nothing must be done, 1 something must, 2 wrong usage.`,
  async run({ write }) {
    const findings = await look(parseConfig(process.env), { writes: write === true })
    for (const finding of findings) process.stdout.write(`${lineOf(finding)}\n`)
    return findings.some(({ must }) => must !== undefined) ? 1 : 0
  },
})
// A driver may still wait for its server: do not wait for it.
setTimeout(() => process.exit(), LEFT_MS).unref()

async function look(config: Config, { writes }: { readonly writes: boolean }): Promise<Finding[]> {
  const { DATA_DIR, VAULT_URL, MONGODB_URL, REDIS_URL } = config
  const { engine, at } = logAddress(config)
  const end: { -readonly [Name in keyof LogEnd]: LogEnd[Name] } = {}
  const learn = (own: LogEnd | undefined): void => {
    for (const [name, value] of Object.entries(own ?? {}))
      if (value !== undefined) Object.assign(end, { [name]: value })
  }
  const sqlite = async (part: string, file: string, synchronous: string): Promise<Finding> =>
    found(
      part,
      async () => {
        const { end: own, ...finding } = await lookAtSqlite(join(DATA_DIR, file), { synchronous })
        learn(own)
        return finding
      },
      SQLITE_MS,
    )
  const vault =
    VAULT_URL === undefined
      ? sqlite('vault', VAULT_FILE, 'full')
      : found('vault', async () => lookAtMongodb('VAULT_URL', VAULT_URL))
  const files = { events: join(DATA_DIR, EVENTS_FILE), vault: join(DATA_DIR, VAULT_FILE) }
  const elsewhere = { facts: 'log or vault is a server: /readyz of the running shop says whether it knows them all' }
  // After the vault, whose saved head a running shop raises, so that the log never looks too short.
  const looks: Record<LogEngineName, () => Promise<Finding>> = {
    sqlite: async () => sqlite('log', EVENTS_FILE, 'full'),
    eventstoredb: async () =>
      found('log', async () => {
        const { lookAtEventstoredb } = await import('./doctor/eventstoredb.ts')
        const { end: own, ...finding } = await lookAtEventstoredb(config, at, { writes })
        learn({ knownHead: 0, ...own })
        return finding
      }),
  }
  const log = vault.then(looks[engine])
  return Promise.all([
    log,
    log.then(async () => found('end of the log', async () => lookAtLogEnd(end, Date.now()))),
    vault,
    found(
      'buyers',
      async () => (VAULT_URL === undefined && isLogFile(config) ? lookAtBuyers(files) : elsewhere),
      SQLITE_MS,
    ),
    ...(MONGODB_URL === undefined
      ? [
          found('views', async () => ({
            facts: 'files of DATA_DIR, nothing to keep: they are built again from the log',
          })),
        ]
      : [found('views', async () => lookAtMongodb('MONGODB_URL', MONGODB_URL))]),
    REDIS_URL === undefined
      ? found('queue', async () => ({ facts: 'in process, nothing to keep: the sweep finds all work again' }))
      : found('queue', async () => lookAtRedis(REDIS_URL)),
    found('folder', async () => lookAtFolder(DATA_DIR)),
  ])
}
