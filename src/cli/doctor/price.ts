import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { fold } from '../../domain/decider.ts'
import { DEFAULT_SETTINGS, DEFAULT_STOCK_M, settings as settingsDecider } from '../../domain/settings/settings.ts'
import type { SettingsEvent } from '../../domain/settings/events.ts'
import { SETTINGS_STREAM, STOCK_STREAM } from '../../domain/stream-names.ts'
import { isLogFile, logAddress } from '../../engines/open-engines.ts'
import { decode } from '../../log/event-codec.ts'
import { openLogStore } from '../../log/open-log-store.ts'
import { isOpeningPriceOnSale, openingPriceText } from '../../shop/shop-facts.ts'
import { type Finding, runCheck } from './finding.ts'

const EVENTS_MAX = 100_000
const note = 'set or confirm price and stock in the dashboard'

/** A finding while strangers pay the price that a shop opens with, or will once it is started. */
export async function lookAtPrice(config: Config): Promise<Finding[]> {
  if (!isOpeningPriceOnSale(config, DEFAULT_SETTINGS)) return []
  const finding = await runCheck('price', async () => {
    if (isLogFile(config) && !existsSync(logAddress(config).at))
      return { facts: openingPriceText(DEFAULT_SETTINGS, DEFAULT_STOCK_M), note }
    const { settings, openedWithM } = await readOpening(config)
    if (!isOpeningPriceOnSale(config, settings)) return { facts: 'set or confirmed by staff' }
    return { facts: openingPriceText(settings, openedWithM), note }
  })
  return [finding]
}

async function readOpening(config: Config) {
  const store = await openLogStore(config, { isReadOnly: true })
  try {
    const changes = await store.readStream(SETTINGS_STREAM, { fromRevision: 0, limit: EVENTS_MAX })
    const [opened] = (await store.readStream(STOCK_STREAM, { fromRevision: 0, limit: 1 })).map(decode)
    const settings = fold(settingsDecider, changes.map(decode) as readonly SettingsEvent[]) ?? DEFAULT_SETTINGS
    return { settings, openedWithM: opened?.type === 'StockSet' ? opened.data.quantityM : DEFAULT_STOCK_M }
  } finally {
    await store.close()
  }
}
