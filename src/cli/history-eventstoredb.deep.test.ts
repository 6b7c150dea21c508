import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { eventstoredbName, someEventstoredb } from '../event-store/testing/eventstoredb-server.ts'
import type { OwnServer } from '../testing/own-server.ts'
import { newFolder, removeFolder } from '../testing/shop-folder.ts'
import { firstPlacingMs } from './seeding/calendar.ts'
import { newShop } from './seeding/new-shop.ts'
import { seedOrders } from './seeding/seed-orders.ts'
import { runScript } from './testing/run-script.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z')
const COUNT = 30

/** Where it stands in an answer: in a line of JSON, in a table's head, and first in a line of CSV. */
const POSITION = /(^\{"position":|^ *"position": "|position |^)(\d+)(?=[,"} ])/gm

/** One of two equal logs. */
interface Place {
  readonly env: Readonly<Record<string, string>>
  /** Of its events. */
  readonly positions: readonly string[]
}

const folder = newFolder()
let server: OwnServer | undefined
let [file, copy]: readonly [Place, Place] = [
  { env: {}, positions: [] },
  { env: {}, positions: [] },
]

async function run(script: string, words: readonly string[], env: Place['env']): Promise<string> {
  const { code, stdout, stderr } = await runScript(script, words, env)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

async function placeAt(env: Place['env']): Promise<Place> {
  const lines = (await run('history', ['events'], env)).trimEnd().split('\n')
  return { env, positions: lines.map((line) => String((JSON.parse(line) as { position: number }).position)) }
}

/** `#20` among the words is the position of the 20th event there; in the answer each position is the number of its event. */
async function answerAt({ env, positions }: Place, words: string): Promise<string> {
  const given = words
    .split(' ')
    .map((word) => (word.startsWith('#') ? (positions[Number(word.slice(1)) - 1] ?? '') : word))
  const answer = await run('history', given, env)
  return answer.replaceAll(POSITION, (_, before: string, position: string) => {
    const index = positions.indexOf(position)
    return `${before}${index === -1 ? position : `#${index + 1}`}`
  })
}

beforeAll(async () => {
  const shop = await newShop(parseConfig({ DATA_DIR: folder }), { seed: 5, startMs: firstPlacingMs(NOW_MS) })
  await seedOrders(shop, { count: COUNT, nowMs: NOW_MS })
  await shop.close()
  server = await someEventstoredb()
  await run('log', ['copy', '--to', server.url], { DATA_DIR: folder })
  file = await placeAt({ DATA_DIR: folder })
  copy = await placeAt({ DATA_DIR: folder, EVENTSTOREDB_URL: server.url })
}, 180_000)

afterAll(async () => {
  await server?.remove()
  removeFolder(folder)
})

describe(`npm run history of a log in ${eventstoredbName}`, { timeout: 120_000 }, () => {
  it('reads that log', () => {
    expect(copy.positions).toHaveLength(file.positions.length)
    expect(copy.positions).not.toEqual(file.positions)
  })

  it.for([
    'analytics --by month --as-of #150',
    'orders --json',
    'orders --from 2020-01-01 --as-of #150 --json',
    'stock --json',
    'diff #20 #200',
    'events --after #100',
    'export orders',
    'export events',
  ])('answers as of its copy in a file, but for positions: %s', async (words) => {
    const [inFile = '', atServer] = await Promise.all([file, copy].map(async (place) => answerAt(place, words)))
    expect(inFile.split('\n').length).toBeGreaterThan(3)
    expect(atServer).toBe(inFile)
  })
})
