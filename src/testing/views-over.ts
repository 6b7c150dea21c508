import type { Config } from '../config.ts'
import { openVault } from '../engines.ts'
import { eventLog } from '../event-store/event-log.ts'
import { START } from '../event-store/event-store.ts'
import { openEventStore } from '../log-engines.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { all } from '../projections/views.ts'
import { projectionRunner } from '../projector/runner.ts'
import { viewReader } from '../projector/view-reader.ts'
import { systemClock } from '../system.ts'
import type { ViewStore } from '../view-store/view-store.ts'

const PAGE = 1_000

/**
 * Builds all views over the log and the vault of an environment, in an empty store. Answers every document in one line, and in place of each position the
 * number of its event, so that the views of a log and of its copy are equal.
 */
export async function viewsOver(config: Config, store: ViewStore): Promise<string[]> {
  const events = await openEventStore(config, { isReadOnly: true })
  const vault = await openVault(config, { isReadOnly: true })
  try {
    const log = eventLog({ store: events, vault, sleep: systemClock.sleep })
    const numbers = new Map<unknown, number>()
    for (let after = START; ;) {
      const page = await log.readAllStored({ after, limit: PAGE })
      for (const { position } of page) numbers.set(position, numbers.size + 1)
      after = page.at(-1)?.position ?? after
      if (page.length < PAGE) break
    }
    const projections = shopProjections({ timeZone: config.SHOP_TIME_ZONE })
    const shape = 'views-over'
    const runner = projectionRunner({ log, logId: 'test', store, shape, projections, clock: systemClock })
    while (await runner.runOnce());
    const views = viewReader({ store, shape, projections, now: Date.now })
    const lines: string[] = []
    for (const { name } of projections) {
      const ids: string[] = []
      for await (const { id } of all(views, name, { where: [], sort: { direction: 'asc' } })) ids.push(id)
      for (let from = 0; from < ids.length; from += PAGE) {
        const documents = await views.load(name, ids.slice(from, from + PAGE))
        for (const document of documents.values()) lines.push(`${name} ${textOf(document, numbers)}`)
      }
    }
    return lines.toSorted()
  } finally {
    await vault.close()
    await events.close()
  }
}

/** The order of keys depends on which events were folded together. */
function textOf(document: object, numbers: ReadonlyMap<unknown, number>): string {
  return JSON.stringify(document, (_, value: unknown) => {
    if (numbers.has(value)) return `event ${numbers.get(value)}`
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value
  })
}
