import { globSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../cli/testing/run-cli.ts'
import { eventstoredbServer } from '../engines/event-store/testing/eventstoredb-server.ts'
import type { OwnServer } from '../ports/testing/own-server.ts'
import { complete, during, listed, order } from './shop-folder.ts'
import { suiteFolder } from '../ports/testing/test-folder.ts'
import { noteUnplacedMoney } from './unplaced-money.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STARTS =
  /^(npm (run|start|ci|test)|npx|node |docker |mongo(dump|restore) |sudo|useradd|install |systemctl|mvn|go |apt-get|promtool)/

/** The commands of all pages, without trailing comments. */
function commandsOfPages(): Set<string> {
  const pages = globSync(['README.md', 'CHANGELOG.md', 'simulation/README.md', 'web/README.md', 'docs/**/*.md'], {
    cwd: ROOT,
  })
  const found = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\\\n\s*/g, ' ')
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    const blocks = [...text.matchAll(/^ {4,}(\S.*(?:\n {6}\w.*)*)/gm)].map(([, code = '']) => code)
    return [...quoted, ...blocks].map((code) => code.replace(/ +# .*$/, '').replaceAll(/\n +/g, ' '))
  })
  return new Set(found.map((code) => code.trim()).filter((code) => STARTS.test(code)))
}

/** Commands that are not run, and why. */
const notRun: readonly [commands: RegExp, why: string][] = [
  [/^docker /, 'pulls images'],
  [/^(sudo|useradd|install|systemctl|apt-get) /, 'changes the machine'],
  [/^(mvn|go|promtool|npx lighthouse) /, 'needs another program'],
  [/^mongo|backup --to FOLDER|restore --from FOLDER/, 'needs a vault at VAULT_URL'],
  [/^npm (ci|start|test|run (test:|build:web|dev|check|near|vitest|bench|load))/, 'CI, or a test of its own'],
  [/^npm run simulate($| -- --(seeds|without|theme))/, 'takes minutes'],
  [/shop -- doubles/, 'src/cli/doubles.deep.test.ts'],
  [/(backup|restore|history|log copy|log copy --to)$/, 'names a command, and is none'],
  [/^node --input-type=module -e .*setStreamMetadata/, 'asks for an administrator of a server'],
  [/simulate -- --seed N|log copy --to esdb:\/\/…\/NAME/, 'another of these, with a value'],
]

/** A stopped shop with sold orders; `at` copies it. */
const original = suiteFolder()
const room = suiteFolder()
const ANNA = 'anna@example.test'

interface Run {
  readonly input?: string
  readonly env?: () => Record<string, string>
  /** Runs in this copy of the shop; by default in one that earlier runs have changed. */
  readonly copy?: string
  readonly says: RegExp
}

let server: OwnServer | undefined
/** In order of execution. */
const runs: Readonly<Record<string, Run>> = {
  'npm run shop -- --help': { says: /history export FILE/ },
  'npm run shop -- doctor': { says: /ok {4}log: [^]*ok {4}folder: / },
  'npm run shop -- doctor --payments': { says: /played by the sandbox/ },
  'npm run shop -- doctor --messages': { says: /messages: no way is set/ },
  'npm run shop -- verify': { says: /ok {4}log: [^]*ok {4}vault: / },
  'npm run shop -- verify --books': { says: /ok {4}books: / },
  'npm run shop -- verify --views': { says: /ok {4}views: / },
  'npm run shop -- views list': { says: /serves, up to date/ },
  'npm run shop -- views prepare': { says: /it can be started/ },
  'npm run shop -- views rebuild': { says: /built anew/ },
  'npm run shop -- history export shop.sqlite': { says: /holds 2 orders/ },
  'npm run shop -- history export FILE --reveal': { says: /holds 2 orders/ },
  'npm run shop -- history sql shop.sqlite revenue-by-month': { says: /month +completed/ },
  'npm run shop -- history sql shop.sqlite "SELECT status, COUNT(*) FROM orders GROUP BY 1"': { says: /completed +1/ },
  'npm run shop -- history sql shop.sqlite "SELECT sql FROM sqlite_schema"': { says: /-- ISO, UTC/ },
  [`npm run shop -- history sql shop.sqlite "SELECT recordedAt, type, actor, data FROM events WHERE stream = (SELECT 'order-' || orderId FROM orders WHERE orderNumber = 'ABCD2345') ORDER BY position"`]:
    { says: /recordedAt +type +actor +data/ },
  'npm run shop -- backup --to /backup/log/2026-11-22 --vault-to /elsewhere/vault/2026-11-22': {
    says: /Copied and read back/,
  },
  'npm run shop -- restore --from /backup/log/2026-11-22 --vault-from /elsewhere/vault/2026-11-22': {
    env: () => ({ DATA_DIR: join(room, 'restored') }),
    says: /Restored: /,
  },
  'npm run shop -- admin set-password': { input: 'a long new password\n', says: /in force/ },
  'npm run shop -- admin reset-second-factor': { input: 'yes\n', says: /No login codes were on/ },
  'npm run shop -- admin unplaced': { copy: 'running', says: /nowpayments\/77/ },
  'npm run shop -- admin unplaced PAYMENT OUTCOME': { says: /^Settled/m },
  'npm run shop -- admin erase': { input: `${ANNA}\nyes\n`, copy: 'running', says: /^Erased: /m },
  'npm run shop -- admin accept-loss': { input: 'yes\n', copy: 'lost', says: /goes on with what is left/ },
  'npm run shop -- admin messages on': { says: /Messages are on for / },
  'npm run shop -- log copy --to esdb://...': { copy: 'moved', says: /each as it was/ },
  'npm run shop -- log copy --to FOLDER': {
    copy: 'moved',
    env: () => ({ EVENTSTOREDB_URL: server?.url ?? '' }),
    says: /each as it was/,
  },
  'npm run simulate -- --seed 584': { says: /OrderPlaced/ },
}

function withPlaces(command: string): string {
  return command
    .replaceAll(/ \/(backup|elsewhere)\//g, ` ${room}/$1/`)
    .replace('shop.sqlite', join(room, 'shop.sqlite'))
    .replace('FILE', join(room, 'revealed.sqlite'))
    .replace('FOLDER', join(room, 'folder'))
    .replace('esdb://...', `'${server?.url}'`)
    .replace('PAYMENT OUTCOME', 'nowpayments/77 paid-back')
}

describe('the pages', () => {
  beforeAll(async () => {
    await during(original, async (shop) => {
      await complete(shop, await order(shop, ANNA))
      await order(shop, 'bert@example.test')
      await noteUnplacedMoney(shop.context, '77')
      await listed(shop)
    })
    for (const copy of ['used', 'running', 'lost', 'moved']) await cp(original, join(room, copy), { recursive: true })
    server = await eventstoredbServer()
  }, 60_000)
  afterAll(async () => server?.remove())

  it('every command of the pages is run here or listed with a reason', () => {
    const unknown = [...commandsOfPages()].filter((command) => !(command in runs))
    expect(unknown.filter((command) => !notRun.some(([pattern]) => pattern.test(command)))).toEqual([])
  })

  it.for(Object.entries(runs))('%s', { timeout: 120_000 }, async ([command, { input, env, copy = 'used', says }]) => {
    expect([...commandsOfPages()]).toContain(command)
    const folder = join(room, copy)
    const run = async () =>
      runProgram(
        'bash',
        ['-c', withPlaces(command)],
        { HOME: room, DATA_DIR: folder, SHOP_TIME_ZONE: 'Asia/Kolkata', ...env?.() },
        input,
      )
    const ended = copy === 'running' ? await during(folder, run) : await run()
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stdout).toMatch(says)
  })
})
