import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { isLogFile, logAddress, openVault, openViews, VAULT_FILE, VIEWS_FOLDER } from '../engines/open-engines.ts'
import { centsToText } from '../domain/money.ts'
import { eventLog } from '../log/event-log.ts'
import { openLogStore } from '../log/open-log-store.ts'
import type { EventStore } from '../engines/event-store/event-store.ts'
import { shortOf } from '../engines/event-store/limits.ts'
import { TryAgain } from '../ports/try-again.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { systemClock } from '../process/system.ts'
import { oneLine } from '../ports/one-line.ts'
import { wrongInSqlite } from './doctor/sqlite.ts'
import { configOfShop } from './config-of-shop.ts'
import { say } from './lines.ts'
import { progressOn } from './progress.ts'
import { booksAudit } from '../shop/books.ts'
import { verifyLog } from './verify/verify-log.ts'
import { logRemedies, remedies } from './verify/remedies.ts'
import { causeOf, type Report, reportOn } from './verify/report.ts'
import { namesAnother, readVault, type VaultRead } from './verify/verify-vault.ts'
import { verifyViews } from './verify/verify-views.ts'

interface VerifyOptions {
  readonly books?: boolean
  readonly views?: boolean
}

export async function verify(options: VerifyOptions): Promise<void> {
  const config = await configOfShop()
  const report = reportOn(say, progressOn())
  await verifyShop(config, options, report)
  if (report.count() > 0) process.exitCode = 1
}

async function verifyShop(
  config: Config,
  { books = false, views = false }: VerifyOptions,
  report: Report,
): Promise<void> {
  const { DATA_DIR, VAULT_URL, MONGODB_URL } = config
  const logAt = logAddress(config)
  const engineRemedies = logRemedies[logAt.engine]
  const closing: { close(): Promise<void> }[] = []
  try {
    const ofVault =
      VAULT_URL === undefined ? { remedy: remedies.vault, file: join(DATA_DIR, VAULT_FILE) } : { remedy: remedies.away }
    const vault = await readOrReport(report, 'vault', ofVault, async () => {
      const opened = await openVault(config, { isReadOnly: true })
      closing.push(opened)
      return readVault(opened)
    })
    const ofLog = { remedy: engineRemedies.log, ...(isLogFile(config) && { file: logAt.at }) }
    const store = await readOrReport(report, 'log', ofLog, async () => {
      const opened = await openLogStore(config, { isReadOnly: true })
      closing.push(opened)
      await opened.head()
      return opened
    })
    if (!store) return
    if (vault) await verifyEnd(store, vault, { report, remedy: engineRemedies.end })
    const audit = books ? booksAudit({ atRest: false }) : undefined
    const { events } = await verifyLog({ store, vault, audit, logRemedies: engineRemedies }, report)
    if (vault) report.ended('vault', 'it opens the buyer of each order, except erased ones')
    if (audit) verifyBooks(audit, report)
    if (!views) return
    if (!vault || report.count('log') + report.count('vault') > 0)
      return report.notChecked('views', 'not checked, since log or vault has problems', remedies.first)
    if (MONGODB_URL === undefined && !existsSync(join(DATA_DIR, VIEWS_FOLDER)))
      return report.notChecked('views', 'not there, the next start builds them', remedies.later)
    const remedy = MONGODB_URL === undefined ? remedies.views : remedies.viewDatabase
    if (MONGODB_URL === undefined)
      for (const name of readdirSync(join(DATA_DIR, VIEWS_FOLDER)).filter((file) => file.endsWith('.sqlite')))
        await verifyFile(report, 'views', join(DATA_DIR, VIEWS_FOLDER, name), remedy)
    await readOrReport(report, 'views', { remedy }, async () => {
      const opened = await openViews(config, { isReadOnly: true })
      closing.push(opened)
      const log = eventLog({ store, vault: vault.vault, sleep: systemClock.sleep })
      const timeZone = config.SHOP_TIME_ZONE
      const views = { shape: shapeOf({ timeZone }), projections: shopProjections({ timeZone }) }
      await verifyViews({ log, store: opened, ...views, events, remedy }, report)
    })
  } finally {
    for (const engine of closing.toReversed()) await engine.close()
  }
}

async function verifyEnd(
  store: EventStore,
  vault: VaultRead,
  { report, remedy }: { report: Report; remedy: string },
): Promise<void> {
  if (await namesAnother(vault, store))
    return report.wrong('log', 'it is not the log that the vault names', remedies.anotherLog)
  const { known } = vault
  const head = await store.head()
  if (known > head)
    report.wrong('log', `it ends at position ${shortOf(head)}, but the vault knows of ${shortOf(known)}`, remedy)
}

async function verifyFile(report: Report, part: string, file: string, remedy: string): Promise<void> {
  if (!existsSync(file)) return
  report.show(`reading ${file}`)
  for (const what of await wrongInSqlite(file)) report.wrong(part, `${file}: ${what}`, remedy)
}

function verifyBooks(audit: ReturnType<typeof booksAudit>, report: Report): void {
  if (report.count('log') > 0)
    return report.notChecked('books', 'not checked, since the log has problems', remedies.first)
  const { orders, freeM, revenueCents, problems } = audit.books()
  for (const problem of problems) report.wrong('books', problem, remedies.books)
  report.ended('books', `${orders.size} orders, ${freeM}M free, ${centsToText(revenueCents)} USD revenue: they balance`)
}

/** Reads an engine, then its file. Reports an unreadable one and returns undefined. */
async function readOrReport<Read>(
  report: Report,
  part: string,
  { remedy, file }: { remedy: string; file?: string },
  read: () => Promise<Read>,
): Promise<Read | undefined> {
  let found: Read | undefined
  try {
    found = await read()
  } catch (error) {
    // A file that cannot be reached now may be sound: do not advise replacing it.
    if (file !== undefined && existsSync(file) && error instanceof TryAgain) {
      report.wrong(part, oneLine(error), remedies.first)
      return undefined
    }
    report.wrong(part, causeOf(error), remedy)
  }
  if (file !== undefined) await verifyFile(report, part, file, remedy)
  return found
}
