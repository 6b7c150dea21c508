import { dirname, resolve } from 'node:path'
import { type Config, parseConfig } from '../config.ts'
import { assertShop, assertTargetOfCopy } from '../process/shop-engines.ts'
import { isLogFile, logAddress, type LogEngineName, openVault } from '../engines/open-engines.ts'
import { openLogStore } from '../log/open-log-store.ts'
import { countOf } from '../engines/event-store/limits.ts'
import { parseAddress, wrongAddress } from '../engines/eventstoredb/address.ts'
import { UsageError } from './program.ts'
import { moveLog } from './log/move-log.ts'
import { say } from './lines.ts'
import { progressOn } from './progress.ts'

const places: Readonly<Record<LogEngineName, { nameOf: (at: string) => string; nextStep: string }>> = {
  sqlite: {
    nameOf: (file) => resolve(dirname(file)),
    nextStep:
      'Set DATA_DIR to it, put the vault beside it (vault.sqlite, unless VAULT_URL is set), remove EVENTSTOREDB_URL, and start the shop.',
  },
  eventstoredb: {
    nameOf: (url) => (wrongAddress(url) === undefined ? parseAddress(url).shown : ''),
    nextStep: 'Set EVENTSTOREDB_URL to it and start the shop.',
  },
}

export async function copyLog({ to }: { to: string }): Promise<void> {
  const config = parseConfig(process.env)
  const target = targetOf(config, to)
  await assertShop(config)
  await assertTargetOfCopy(target)
  let time = 0
  const from = await openLogStore(config)
  const into = await openLogStore(target, { now: () => time })
  const vault = await openVault(config, { mustExist: true })
  try {
    const progress = progressOn()
    // An embedded log's positions count its events.
    const eventsTotal = isLogFile(config) ? countOf(await from.head()) : undefined
    if (!isLogFile(target)) say(longCopy(eventsTotal))
    const events = await moveLog({
      from,
      to: into,
      vault,
      setTime: (at) => (time = at),
      eventsTotal,
      show: progress.show,
    })
    progress.clear()
    say(
      `${events} events are in ${nameOf(target)}, each as it was. The shop opens on no other log from now on. ${places[logAddress(target).engine].nextStep}`,
    )
  } finally {
    await vault.close()
    await into.close()
    await from.close()
  }
}

/** Measured on a server of two cores. */
const COPIED_PER_SECOND = 660

function longCopy(events: number | undefined): string {
  const minutes = events === undefined ? undefined : Math.ceil(events / COPIED_PER_SECOND / 60)
  const long =
    minutes === undefined ? '' : `: ${events} events in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return `Events are copied one append after another, some ${COPIED_PER_SECOND} a second${long}. If it is stopped, run it again: it goes on from there.`
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
