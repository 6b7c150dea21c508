import { dirname, resolve } from 'node:path'
import { type Config, parseConfig } from '../config.ts'
import { assertShop, assertTargetOfCopy } from '../engines.ts'
import { isLogFile, logAddress, type LogEngineName, openEventStore } from '../log-engines.ts'
import { countOf } from '../event-store/limits.ts'
import { addressOf, wrongAddress } from '../eventstoredb/address.ts'
import { commandOfVerbs, runCommand, text, UsageError } from './command-line.ts'
import { moveLog } from './log/move-log.ts'
import { progressOn } from './progress.ts'

const places: Readonly<Record<LogEngineName, { nameOf: (at: string) => string; wayOn: string }>> = {
  sqlite: {
    nameOf: (file) => resolve(dirname(file)),
    wayOn:
      'Set DATA_DIR to it, put the vault beside it (vault.sqlite, unless VAULT_URL is set), remove EVENTSTOREDB_URL, and start the shop.',
  },
  eventstoredb: {
    nameOf: (url) => (wrongAddress(url) === undefined ? addressOf(url).shown : ''),
    wayOn: 'Set EVENTSTOREDB_URL to it and start the shop.',
  },
}

await runCommand(
  commandOfVerbs({
    name: 'log',
    does: 'moves the log of a stopped shop into another engine',
    options: {
      to: text('TARGET', 'copy: the address of an EventStoreDB (esdb://...), or a folder for an embedded log'),
    },
    verbs: {
      copy: {
        does: 'copies every event with its id, order, text and time, holds both logs against each other, and marks this one as moved',
        run: async (_, { to }) => copy(to),
      },
    },
    notes: `The log is the one that the environment names. Stop every process of the shop first. Interrupted, it goes on where it was when it is run again; no shop starts on an unfinished copy, nor on a log
that was moved. Views are built anew; the vault stays where it is.

Exit codes: 0 done, 1 failed: nothing is lost and the shop may go on as it was, 2 wrong usage or no shop.`,
  }),
)

async function copy(to: string | undefined): Promise<number> {
  if (to === undefined) throw new UsageError('copy needs --to TARGET')
  const config = parseConfig(process.env)
  const target = targetOf(config, to)
  await assertShop(config)
  await assertTargetOfCopy(target)
  let time = 0
  const from = await openEventStore(config)
  const into = await openEventStore(target, { now: () => time })
  try {
    const progress = progressOn()
    const events = await moveLog({
      from,
      to: into,
      name: nameOf(target),
      setTime: (at) => (time = at),
      // An embedded log numbers its events.
      eventsTotal: isLogFile(config) ? countOf(await from.head()) : undefined,
      show: (text) => progress.show(text),
    })
    progress.clear()
    process.stdout.write(
      `${events} events are in ${nameOf(target)}, each as it was. The log here is marked as moved. ${places[logAddress(target).engine].wayOn}\n`,
    )
    return 0
  } finally {
    await into.close()
    await from.close()
  }
}

function targetOf(config: Config, to: string): Config {
  const isServer = /^[a-z+]+:\/\//.test(to)
  const why = isServer ? wrongAddress(to) : undefined
  if (why !== undefined) throw new UsageError(`--to ${why}`)
  const target = isServer
    ? { ...config, EVENTSTOREDB_URL: to }
    : { ...config, DATA_DIR: resolve(to), EVENTSTOREDB_URL: undefined }
  if (nameOf(target) === nameOf(config)) throw new UsageError('--to names the log itself')
  return target
}

function nameOf(config: Config): string {
  const { engine, at } = logAddress(config)
  return places[engine].nameOf(at)
}
