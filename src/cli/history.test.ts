import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { EVENTS_FILE, VAULT_FILE } from '../engines/open-engines.ts'
import { questions } from '../history/questions.ts'
import { asOwner, ask as askShop } from '../testing/buyers.ts'
import { complete, during, order } from '../testing/shop-folder.ts'
import { copyOf, suiteFolder } from '../ports/testing/test-folder.ts'
import { runHere } from './testing/run-cli.ts'

const ANALYSTS = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8')
const anna = 'anna@example.test'

const shop = suiteFolder()
const files = suiteFolder()

beforeAll(async () => {
  await during(shop, async (running) => {
    await complete(running, await order(running, anna))
    await order(running, 'bert@example.test')
  })
})

const exportFrom = async (folder: string, file: string, ...options: string[]) =>
  runHere(['history', 'export', file, ...options], { DATA_DIR: folder, SHOP_TIME_ZONE: 'Asia/Kolkata' })

const ask = async (...words: string[]) => runHere(['history', 'sql', ...words])

async function answerOf(...words: string[]): Promise<string> {
  const { code, stdout } = await ask(...words)
  expect(code).toBe(0)
  return stdout
}

async function newFile(name: string, ...options: string[]): Promise<string> {
  const file = join(files, name)
  expect(await exportFrom(shop, file, ...options)).toMatchObject({ code: 0, stdout: expect.stringContaining(file) })
  return file
}

it('export writes a new private file and nothing to the log', async () => {
  const before = readFileSync(join(shop, EVENTS_FILE))
  const file = await newFile('shop.sqlite')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(files)).toEqual(['shop.sqlite'])
  expect(readFileSync(join(shop, EVENTS_FILE)).equals(before)).toBe(true)
  const columns = await answerOf(file, `SELECT sql FROM sqlite_schema WHERE name = 'orders'`)
  expect(columns).toContain('-- ISO, UTC')
  expect(await answerOf(file, 'SELECT COUNT(*) FROM orders', '--csv')).toBe('"COUNT(*)"\n2\n')
})

it('export --as-of contains the log up to that moment', async () => {
  const file = await newFile('then.sqlite', '--as-of', '1')
  expect(await answerOf(file, 'SELECT max(position) AS last FROM events', '--csv')).toBe('"last"\n1\n')
})

it.for<[name: string, options: string[], sentence: RegExp]>([
  ['new.sqlite', ['--as-of', 'yesterday'], /^'yesterday' is no time: /],
  ['new.sqlite', ['--as-of', '2026-02-30'], /^'2026-02-30' is no time: /],
  ['new.sqlite', ['--as-of', '2999-01-01'], /^'2999-01-01' has not come yet: give today or earlier/],
  ['new.sqlite', ['--as-of', '2999-01-01T00:00:00Z'], /^'2999-01-01T00:00:00Z' has not come yet/],
  ['new.sqlite', ['--as-of', '99999999'], /^there is no position 99999999: the log ends at \d+/],
  ['shop.txt', [], / exists: remove it, or name another file \(see /],
  ['no/shop.sqlite', [], / cannot be written \(ENOENT\) \(see /],
])('export rejects %s %j before the log records a reveal', async ([name, options, sentence]) => {
  writeFileSync(join(files, 'shop.txt'), 'mine')
  const before = readFileSync(join(shop, EVENTS_FILE))
  const { code, stderr } = await exportFrom(shop, join(files, name), '--reveal', ...options)
  expect(code).toBe(2)
  expect(stderr).toMatch(sentence)
  expect(readFileSync(join(files, 'shop.txt'), 'utf8')).toBe('mine')
  expect(readFileSync(join(shop, EVENTS_FILE)).equals(before)).toBe(true)
  expect(existsSync(join(files, 'new.sqlite'))).toBe(false)
})

it('export leaves no file without a vault to reveal from, or without a shop', async () => {
  const copy = copyOf(shop)
  rmSync(join(copy, VAULT_FILE))
  const file = join(files, 'none.sqlite')
  expect((await exportFrom(copy, file, '--reveal')).stderr).toMatch(/ is missing or empty, /)
  expect((await exportFrom('/nowhere/shop', file)).stderr).toMatch(/^no shop in \/nowhere\/shop/)
  expect(readdirSync(files).filter((name) => name.startsWith('none'))).toEqual([])
})

it('export contains buyers only with --reveal, which the log records, and never erased ones', async () => {
  const copy = copyOf(shop)
  const all = async (name: string, ...options: string[]): Promise<string> => {
    const file = join(files, name)
    expect(await exportFrom(copy, file, ...options)).toMatchObject({ code: 0 })
    return readFileSync(file, 'latin1')
  }
  expect(await all('plain.sqlite')).not.toMatch(/example\.test|v1\.\w/)
  expect(await all('revealed.sqlite', '--reveal')).toMatch(/anna@example\.test[^]*bert@|bert@[^]*anna@example\.test/)
  const noted = `SELECT type FROM events ORDER BY position DESC LIMIT 1`
  await all('after.sqlite')
  expect(await answerOf(join(files, 'after.sqlite'), noted)).toBe('type\nPersonalDataRevealed\n')
  await during(copy, async ({ url = '' }) => {
    const asked = { body: { email: anna }, headers: await asOwner(url) }
    // The views may still be building.
    const erase = async () => (await askShop(url, 'POST', '/api/admin/erase-customer', asked)).body
    await expect.poll(erase, { timeout: 30_000 }).toMatchObject({ erased: true })
  })
  const revealed = await all('erased.sqlite', '--reveal')
  expect(revealed).toContain('bert@example.test')
  expect(revealed).not.toContain('anna')
})

it('sql answers every question as a table and as CSV', async () => {
  const file = await newFile('asked.sqlite')
  for (const { name, says } of questions()) {
    expect(says).toMatch(/\w\.$/)
    const [head = ''] = (await answerOf(file, name)).split('\n')
    const [first = ''] = (await answerOf(file, name, '--csv')).split('\n')
    expect(first.replaceAll('"', '').split(',')).toEqual(head.split(/ +/))
  }
  expect(await answerOf(file, 'by-discount')).toMatch(
    /^discountPercent {2}completed {2}averageCents\n {14}\d {10}1 {13}\d\n$/,
  )
})

it('sql writes CSV that spreadsheets do not read as formulas', async () => {
  const file = await newFile('csv.sqlite')
  const query = `SELECT '=1+1' AS a, '-2' AS b, -2 AS c, NULL AS d, 'x' || char(10) || '"y"' AS e, 9007199254740993 AS f, 'y;=1+1' AS g`
  expect(await answerOf(file, query, '--csv')).toBe(
    `"a","b","c","d","e","f","g"\n"'=1+1","'-2",-2,,"x ""y""",9007199254740993,"y;'=1+1"\n`,
  )
})

it('sql is read-only and reports errors in one line', async () => {
  const file = await newFile('read.sqlite')
  const before = readFileSync(file)
  for (const [where, query, sentence] of [
    [file, 'DELETE FROM orders', /^SQLite: attempt to write a readonly database\n$/],
    [file, 'SELECT absent FROM orders', /^SQLite: no such column: absent\n$/],
    [file, 'by-week', /^no question 'by-week': by-discount, /],
    [join(files, 'shop.txt'), 'by-pack', /^SQLite: file is not a database\n$/],
    [
      join(files, 'nothing.sqlite'),
      'by-pack',
      /^there is no .*: history export makes it \(see npm run shop -- history sql --help\)\n$/,
    ],
  ] as const)
    expect((await ask(where, query)).stderr).toMatch(sentence)
  expect(readFileSync(file).equals(before)).toBe(true)
})

it('docs/analysts.md lists every question', () => {
  for (const { name } of questions()) expect(ANALYSTS).toContain(`| \`${name}\` |`)
})
