import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { noteReveal } from '../../commands/note-reveal.ts'
import type { Config } from '../../config.ts'
import { openShopEngines } from '../../process/shop-engines.ts'
import type { EventStore } from '../../engines/event-store/event-store.ts'
import { shortOf } from '../../engines/event-store/limits.ts'
import { type Exported, exportShop } from '../../history/export-shop.ts'
import { isFuture, type Moment, momentFrom } from '../../history/moment.ts'
import { openLogStore } from '../../log/open-log-store.ts'
import { systemClock, systemRandom } from '../../process/system.ts'
import type { Vault } from '../../engines/vault/vault.ts'
import { UsageError } from '../program.ts'
import { staff } from '../lost-events.ts'
import { configOfShop } from '../config-of-shop.ts'
import { say } from '../lines.ts'
import { progressOn } from '../progress.ts'

const PRIVATE = 0o600

/** Exports the configured log, up to a moment, into a new private file. */
export async function exportHistory(
  file: string,
  { asOf, reveal = false }: { asOf?: string | undefined; reveal?: boolean | undefined },
): Promise<void> {
  const config = await configOfShop()
  const store = await openLogStore(config, { isReadOnly: true })
  const progress = progressOn()
  const onProgress = ({ events, orders, recordedAt }: Exported): void =>
    progress.show(`${events} events, up to ${new Date(recordedAt ?? 0).toISOString()}; ${orders} orders`)
  try {
    const moment = await momentOf({ config, store }, asOf)
    // Checks all input before the log records that buyers are revealed.
    const { events, orders } = await inNewFile(file, async (database) =>
      withVault({ config, store, reveal }, async (vault) =>
        exportShop(database, { store, moment, timeZone: config.SHOP_TIME_ZONE, vault, onProgress }),
      ),
    )
    progress.clear()
    say(`${file} holds ${orders} orders of ${events} events`)
  } finally {
    progress.clear()
    await store.close()
  }
}

/** Without a time: the log's current end. Throws `UsageError`. */
async function momentOf(
  { config, store }: { config: Config; store: EventStore },
  given: string | undefined,
): Promise<Moment> {
  const head = await store.head()
  if (given === undefined) return { position: head }
  const moment = momentFrom(given, config.SHOP_TIME_ZONE)
  if (!moment)
    throw new UsageError(
      `'${given}' is no time: give a day (2026-01-31), a moment with its zone (2026-01-31T18:00:00Z), or a position`,
    )
  if (isFuture(given, { nowMs: systemClock.now(), timeZone: config.SHOP_TIME_ZONE }))
    throw new UsageError(`'${given}' has not come yet: give today or earlier`)
  if ('position' in moment && moment.position > head)
    throw new UsageError(`there is no position ${given}: the log ends at ${shortOf(head)}`)
  return moment
}

/** Never overwrites; a file with this name is complete. */
async function inNewFile<Done>(file: string, work: (database: DatabaseSync) => Promise<Done>): Promise<Done> {
  assertFree(file)
  const unfinished = `${file}.unfinished`
  try {
    closeSync(openSync(unfinished, 'wx', PRIVATE))
  } catch (error) {
    throw fileError(unfinished, codeOf(error))
  }
  const remove = (): void => rmSync(unfinished, { force: true })
  process.once('exit', remove)
  const database = new DatabaseSync(unfinished)
  try {
    // No journal: an unfinished file is removed, never recovered.
    database.exec('PRAGMA journal_mode = OFF')
    const done = await work(database)
    database.close()
    assertFree(file)
    renameSync(unfinished, file)
    return done
  } catch (error) {
    if (codeOf(error) !== 'ERR_SQLITE_ERROR') throw error
    throw new Error(`${file} cannot be written: ${(error as Error).message}`, { cause: error })
  } finally {
    if (database.isOpen) database.close()
    remove()
    process.removeListener('exit', remove)
  }
}

function assertFree(file: string): void {
  if (existsSync(file)) throw fileError(file, 'EEXIST')
}

function fileError(file: string, code: string): UsageError {
  const why = code === 'EEXIST' ? 'exists: remove it, or name another file' : `cannot be written (${code})`
  return new UsageError(`${file} ${why}`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** Opens the vault if buyers are revealed, after the log has recorded it. */
async function withVault<Done>(
  { config, store, reveal }: { config: Config; store: EventStore; reveal: boolean },
  work: (vault: Vault | undefined) => Promise<Done>,
): Promise<Done> {
  if (!reveal) return work(undefined)
  const engines = await openShopEngines(config, { leavesViews: true })
  try {
    process.stderr.write('This reveals the buyers. The log of the shop records it.\n')
    const shop = { log: engines.log, clock: systemClock, random: systemRandom }
    await noteReveal(shop, staff(), await store.head())
    return await work(engines.vault)
  } finally {
    await engines.close()
  }
}
