import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../config.ts'
import { categories, STOCK_STREAM } from '../domain/stream-names.ts'
import { type EventStore, NO_EVENTS } from '../engines/event-store/event-store.ts'
import { eventstoredbEventStore } from '../engines/event-store/eventstoredb-event-store.ts'
import { type EventStoreDBDouble } from '../engines/event-store/testing/eventstoredb-double.ts'
import { doubleOfTest } from '../engines/event-store/testing/eventstoredb-server.ts'
import { someEvents, startStream } from '../engines/event-store/testing/some-events.ts'
import { lookAtEventstoredb } from './doctor/eventstoredb.ts'
import { logRemedies } from './verify/remedies.ts'
import { reportOn } from './verify/report.ts'
import { verifyLog } from './verify/verify-log.ts'

let double: EventStoreDBDouble
let store: EventStore

beforeEach(async () => {
  double = await doubleOfTest()
  store = eventstoredbEventStore({ url: double.url, categories })
  onTestFinished(() => store.close())
})

/** What verify says of streams that others have changed; events of tests cannot be decoded by the shop. */
async function verified(): Promise<string[]> {
  const lines: string[] = []
  const fresh = eventstoredbEventStore({ url: double.url, categories, isReadOnly: true })
  const report = reportOn((line) => lines.push(line), { show: () => undefined, clear: () => undefined })
  const parts = { store: fresh, vault: undefined, audit: undefined, logRemedies: logRemedies.eventstoredb }
  await verifyLog(parts, report)
  await fresh.close()
  return lines.filter((line) => !line.includes('OrderPlaced'))
}

it('doctor and verify name the setting that hides events of the stock, and not the backup as the first way out', async () => {
  await store.append(STOCK_STREAM, NO_EVENTS, someEvents(3))
  await double.log().setMetadata(STOCK_STREAM, { $maxCount: 1 })
  const said = /stock-main has \$maxCount on the server, which hides its events/
  const { facts, must } = await lookAtEventstoredb(parseConfig({ EVENTSTOREDB_URL: double.url }), double.url)
  expect([facts, must]).toEqual([expect.stringMatching(said), expect.stringMatching(/docs\/servers.md.*smallest cure/)])
  expect(await verified()).toEqual([expect.stringMatching(said)])
})

it('verify names streams that were deleted, and events of others with the way out', async () => {
  const [soft, forGood] = [await startStream(store, someEvents(1)), await startStream(store, someEvents(1))]
  await double.log().setMetadata(soft, { $tb: Number.MAX_SAFE_INTEGER * 2 })
  double.log().tombstone(forGood)
  const content = { contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.alloc(0) }
  await double.log().append('order-42', 'no_stream', [{ id: randomUUID(), type: 'Foreign', ...content }])
  const lines = (await verified()).join('\n')
  expect(lines).toMatch(new RegExp(`${soft} was deleted on the server, which hides its events`))
  expect(lines).toMatch(new RegExp(`${forGood} was deleted on the server`))
  expect(lines).toMatch(/events of others passed over: 1.*order-42.*log copy --to esdb/)
  expect(lines).not.toMatch(/9223372036854775807|restore the newest/i)
})
