import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { VAULT_FILE } from '../engines.ts'
import { EVENTS_FILE } from '../log-engines.ts'
import { eventColumns } from '../history/export-events.ts'
import { orderColumns } from '../history/export-orders.ts'
import { paymentColumns } from '../history/export-payments.ts'
import { cellsOf, databaseOf } from '../history/testing/csv-tables.ts'
import { ask, asOwner } from '../testing/buyers.ts'
import { complete, during, newFolder, order, removeFolder } from '../testing/shop-folder.ts'
import { exitCodeOfOne } from './command-line.ts'
import { history as historyVerbs } from './history/verbs.ts'
import { firstPlacingMs } from './seeding/calendar.ts'
import { newShop } from './seeding/new-shop.ts'
import { seedOrders } from './seeding/seed-orders.ts'
import { runHere } from './testing/run-here.ts'
import type { Ended } from './testing/run-script.ts'

const ANALYSTS = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8')
const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z')
const ZONE = 'Asia/Kolkata'
const COUNT = 250

const seeded = newFolder()

beforeAll(async () => {
  const shop = await newShop(parseConfig({ DATA_DIR: seeded }), { seed: 3, startMs: firstPlacingMs(NOW_MS) })
  await seedOrders(shop, { count: COUNT, nowMs: NOW_MS })
  await shop.close()
})

afterAll(() => removeFolder(seeded))

const inFolder = async (folder: string, ...words: string[]): Promise<Ended> =>
  runHere({ DATA_DIR: folder, SHOP_TIME_ZONE: ZONE }, async () => exitCodeOfOne(historyVerbs, words))

const history = async (...words: string[]): Promise<Ended> => inFolder(seeded, ...words)

/** Of a verb that has to succeed. */
async function answerOf(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await history(...words)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

async function json(...words: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await answerOf(...words, '--json')) as Record<string, unknown>
}

async function jsonLines(...words: string[]): Promise<Record<string, unknown>[]> {
  const lines = (await answerOf(...words)).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

type Rows = readonly Readonly<Record<string, unknown>>[]

const verbs = ['analytics', 'orders', 'order', 'ended', 'stock', 'settings', 'diff', 'events', 'export']

describe('npm run history', () => {
  it('lists its verbs, and each has a help of its own', async () => {
    const { code, stdout } = await history('--help')
    expect(code).toBe(0)
    for (const verb of verbs) {
      expect(stdout).toContain(`\n  ${verb}  `.slice(0, -1))
      const help = await history(verb, '--help')
      expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^npm run history -- ${verb} `)) })
      expect(help.stdout).toContain('Exit codes: 0')
    }
  })

  it.for<[words: string, sentence: RegExp]>([
    ['', /^VERB is missing/],
    ['anlytics', /^no verb 'anlytics', the nearest is 'analytics': analytics, orders, /],
    ['analytics now', /^unexpected argument 'now' \(see npm run history -- analytics --help\)/],
    ['analytics --by week', /^--by takes day, month, method, pack, discount, not 'week'/],
    ['analytics --as-of yesterday', /^'yesterday' is no time: /],
    [
      'analytics --as-of -1',
      /^--as-of takes T \(as it was then: a day \(2026-01-31\), a moment [^']*\), not '-1' \(see /,
    ],
    ['analytics --as-of 2026-02-30', /^'2026-02-30' is no time: /],
    ['orders --status paid', /^--status takes pending, completed, failed, not 'paid'/],
    ['orders --from 17', /^'17' is a position: --from and --to take a day or a moment here/],
    ['order', /^NUMBER\|ID is missing/],
    ['order 17', /^'17' is neither an order number nor an order's id/],
    ['order AAAA AAAA AAAA', /^unexpected argument 'AAAA'/],
    ['order AAAAAAAA now', /^unexpected argument 'now'/],
    ['diff 2026-01-01', /^T2 is missing/],
    ['diff 2026-02-01 2026-01-01', /^2026-02-01 is later than 2026-01-01: give the earlier one first/],
    ['diff 500 100', /^500 is later than 100: give the earlier one first/],
    ['diff 500 2020-01-01', /^500 is later than 2020-01-01: give the earlier one first/],
    ['diff 2030-01-01 5', /^2030-01-01 is later than 5: give the earlier one first/],
    ['diff 5 99999999', /^there is no position 99999999: the log ends at \d{4} /],
    ['analytics --as-of 99999999', /^there is no position 99999999: the log ends at \d{4} /],
    ['orders --from 2026-02-01 --to 2026-01-31', /^--from 2026-02-01 is later than --to 2026-01-31/],
    ['ended --from 2026-02-01 --to 2026-01-01', /^--from 2026-02-01 is later than --to 2026-01-01/],
    ['stock --from 2026-02-01 --to 2026-01-01', /^--from 2026-02-01 is later than --to 2026-01-01/],
    ['orders --from 2026-05-01 --as-of 2026-04-01', /^--from 2026-05-01 is later than --as-of 2026-04-01/],
    ['orders --from 2026-05-01 --as-of 5', /^--from 2026-05-01 is later than --as-of 5/],
    ['ended --from 2026-05-01 --as-of 2026-04-01', /^--from 2026-05-01 is later than --as-of 2026-04-01/],
    ['export orders --from 2026-05-01 --as-of 2026-04-01', /^--from 2026-05-01 is later than --as-of 2026-04-01/],
    ['export orders --from 101 --as-of 100', /^--from 101 is later than --as-of 100/],
    ['events --from 2026-02-01 --to 2026-01-01', /^--from 2026-02-01 is later than --to 2026-01-01/],
    ['events --from 101 --to 100', /^--from 101 is later than --to 100/],
    ['events --from 101 --to 2020-01-01', /^--from 101 is later than --to 2020-01-01/],
    ['export payments --from 2030-01-01 --to 100', /^--from 2030-01-01 is later than --to 100/],
    ['events --type OrderComplete', /^no event 'OrderComplete', the nearest is 'OrderCompleted': docs\/events.md /],
    ['events --stream orders', /^no stream 'orders': its kind is one of order, stock, settings, /],
    ['events --after 99999999', /^there is no position 99999999: the log ends at \d{4} /],
    ['events --after yesterday', /^--after takes the position of an event, not 'yesterday'/],
    ['export figures', /^'figures' is not exported: orders, events, payments/],
    ['export events --reveal', /^events name no buyer: --reveal is for orders/],
    ['export payments --as-of 17', /^--as-of is for orders: others have --to/],
    ['export orders --resume', /^--resume needs --to-file, and no --after/],
    ['export orders --format xls', /^--format takes csv, ndjson, not 'xls'/],
    ['export orders --to-file /nowhere/orders.csv', /^\/nowhere\/orders.csv cannot be written \(ENOENT\)/],
    ['export orders --to-file /nowhere/orders.csv --resume', /^there is no \/nowhere\/orders.csv: leave out --resume/],
  ])('%s is refused in one line', async ([words, sentence]) => {
    const { code, stdout, stderr } = await history(...words.split(' ').filter(Boolean))
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stdout).toBe('')
  })

  it.for([
    ['5', '2026-01-01'],
    ['2026-01-01', '2026-01-01'],
    ['100', '100'],
    ['2020-01-01', '5'],
    ['0', '2030-01-01'],
  ])('diff takes %s before %s', async ([earlier = '', later = '']) => {
    const { code, stderr } = await history('diff', earlier, later)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('makes nothing where there is no shop', async () => {
    const { code, stderr } = await inFolder('/nowhere/shop', 'analytics')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^no shop in \/nowhere\/shop/) })
  })

  it('writes nothing to the log', async () => {
    const before = readFileSync(join(seeded, EVENTS_FILE))
    await answerOf('orders', '--as-of', '2026-01-01')
    expect(readFileSync(join(seeded, EVENTS_FILE)).equals(before)).toBe(true)
  })
})

describe('the verbs', () => {
  it('analytics: a table for people, and the same for programs', async () => {
    const { asOf, totals, rows } = await json('analytics', '--by', 'month', '--as-of', '2026-03-31')
    expect(asOf).toMatchObject({ recordedAt: expect.stringMatching(/^2026-03-3/) })
    expect((rows as Rows).at(-1)).toMatchObject({ key: '2026-03' })
    const text = await answerOf('analytics', '--by', 'month', '--as-of', '2026-03-31')
    expect(text.split('\n')[2]).toMatch(
      /^month +placed +paid +conversion +completed +coins +revenue +refunded +average$/,
    )
    const { revenueCents } = totals as { revenueCents: number }
    const revenue = (revenueCents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    expect(text.split('\n').at(-2)).toMatch(/^all /)
    expect(text.split('\n').at(-2)).toContain(` ${revenue} `)
  })

  it('orders: those of the moment, by status and time of placing', async () => {
    const all = await jsonLines('orders', '--as-of', '2026-01-15', '--json')
    const { totals } = await json('analytics', '--as-of', '2026-01-15')
    expect(all.filter(({ isDeleted }) => isDeleted === false)).toHaveLength(Number((totals as Figures)['placed']))
    const failed = await jsonLines(
      'orders',
      '--as-of',
      '2026-01-15',
      '--status',
      'failed',
      '--to',
      '2025-12-31',
      '--json',
    )
    expect(failed).toEqual(
      all.filter(({ status, placedAt }) => status === 'failed' && String(placedAt) < '2025-12-31T18:30:00.000Z'),
    )
    expect(failed.length).toBeGreaterThan(0)
    expect((await answerOf('orders', '--method', 'paypal')).split('\n')[2]).toMatch(/^number +placed +status/)
  })

  it('order: by number or id, as it was, with every event that led there', async () => {
    const [newest] = await jsonLines('orders', '--status', 'completed', '--json')
    const { orderId, orderNumber } = newest as { orderId: string; orderNumber: string }
    const { order: now, events } = await json('order', orderNumber.toLowerCase())
    expect(now).toMatchObject({ orderId, status: 'completed' })
    const [placing, ...others] = events as { type: string; position: string; actor: string; cause: string }[]
    expect(placing).toMatchObject({
      type: 'OrderPlaced',
      actor: 'buyer',
      text: expect.stringMatching(/^(Pre-o|O)rder of /),
    })
    expect(others.map(({ type }) => type)).toContain('OrderCompleted')
    const { order: then } = await json('order', orderId, '--as-of', String(placing?.position))
    expect(then).toMatchObject({ status: 'pending', revenueCents: 0 })
    expect(await answerOf('order', orderId)).toContain('OrderCompleted')
    const early = await history('order', orderId, '--as-of', '1')
    expect(early).toMatchObject({ code: 1, stdout: '', stderr: `there is no order ${orderId} as of 1\n` })
    expect(await history('order', 'AAAAAAAA')).toMatchObject({ code: 1, stdout: '' })
  })

  it('order: its number as the screens show it', async () => {
    const [newest] = await jsonLines('orders', '--json')
    const { orderId, orderNumber } = newest as { orderId: string; orderNumber: string }
    const [first, second] = [orderNumber.slice(0, 4), orderNumber.slice(4)]
    for (const words of [[`${first} ${second}`], [`#${orderNumber}`], [` #${first} ${second} `], [first, second]]) {
      const { order: found } = await json('order', ...words)
      expect(found).toMatchObject({ orderId })
    }
  })

  it('stock: whole days, up to what the shop has now', async () => {
    const { rows } = await json('stock')
    const [first, second] = rows as { day: string }[]
    const part = await json('stock', '--from', String(second?.day), '--to', String(second?.day))
    expect(part['rows']).toEqual([second])
    expect(first).toMatchObject({ setM: expect.any(Number), freeM: expect.any(Number) })
  })

  it('settings: as they were, and who changed them', async () => {
    const { changes } = await json('settings', '--changes')
    const [last] = (changes as { setting: string; at: string; from: unknown; to: unknown; adminId: string }[]).slice(-1)
    if (!last) throw new Error('nothing was changed')
    expect(last.adminId).toBe('owner')
    const { settings } = await json('settings', '--as-of', last.at)
    expect(settings).toMatchObject({ [last.setting]: last.to })
    const before = new Date(Date.parse(last.at) - 1).toISOString()
    expect((await json('settings', '--as-of', before))['settings']).toMatchObject({ [last.setting]: last.from })
    expect(await answerOf('settings', '--changes')).toMatch(/when +who +setting +from +to +orders until any change/)
  })

  it('diff: between the figures of two moments, and the settings changed in between', async () => {
    const { from, to, settings } = await json('diff', '2025-06-30', '2026-03-31')
    const [then, later] = [
      await json('analytics', '--as-of', '2025-06-30'),
      await json('analytics', '--as-of', '2026-03-31'),
    ]
    expect(from).toMatchObject(withoutShares(then))
    expect(to).toMatchObject(withoutShares(later))
    const { changes } = await json('settings', '--changes', '--as-of', '2026-03-31')
    const since = '2025-06-30T18:30:00.000Z'
    expect(settings).toEqual((changes as { at: string }[]).filter(({ at }) => at >= since))
    expect(await answerOf('diff', '2025-06-30', '2026-03-31')).toMatch(/revenue +\$[\d,.]+ +\$[\d,.]+ +\+\$[\d,.]+/)
  })

  it('events: a JSON line each, from one on, of one kind', async () => {
    const all = await jsonLines('events')
    expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1))
    const some = await jsonLines(
      'events',
      '--stream',
      'stock',
      '--type',
      'StockReserved',
      '--after',
      '100',
      '--to',
      '500',
    )
    expect(some).toEqual(
      all.filter(({ type, position }) => type === 'StockReserved' && Number(position) > 100 && Number(position) <= 500),
    )
    expect(JSON.stringify(all)).not.toContain('"v1.')
  })

  it('events --stream: says that the log has none of that stream', async () => {
    const [placed] = await jsonLines('events', '--type', 'OrderPlaced')
    const { stream } = placed as { stream: string }
    const unknown = 'order-00000000-0000-7000-8000-000000000000'
    const none = { code: 1, stdout: '', stderr: `the log has no event of the stream ${unknown}\n` }
    expect(await history('events', '--stream', unknown)).toEqual(none)
    expect(await history('events', '--stream', unknown, '--to', '2026-01-01')).toEqual(none)
    // What the log has, the range may leave out; and of a kind there may be none as yet.
    for (const words of [[stream, '--to', '1'], [stream.slice(0, stream.indexOf('-', 6)), '--to', '1'], ['customers']])
      expect(await history('events', '--stream', ...words)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

type Figures = Readonly<Record<string, number | null>>

function withoutShares({ totals }: Record<string, unknown>): Figures {
  const { conversion: _conversion, averageCents: _averageCents, ...figures } = totals as Figures
  return figures
}

/** The same of an export as of the list. */
function statesOf(orders: Rows): string[] {
  return orders.map(({ orderId, status, totalCents }) => [orderId, status, totalCents].join(' ')).toSorted()
}

describe('an export', () => {
  it('goes on behind a position, and in a file that was cut anywhere, with the same bytes', async () => {
    const whole = await answerOf('export', 'payments')
    const lines = whole.split('\n')
    const position = String(lines[20]?.split(',')[0])
    const rest = (await answerOf('export', 'payments', '--after', position)).split('\n').slice(1)
    expect(rest).toEqual(lines.slice(lines.findLastIndex((line) => line.startsWith(`${position},`)) + 1))
    const file = join(seeded, 'payments.csv')
    await answerOf('export', 'payments', '--to-file', file)
    expect(readFileSync(file, 'utf8')).toBe(whole)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await history('export', 'payments', '--to-file', file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is there already: --resume goes on with it, or name another/),
    })
    for (const bytes of [0, 20, whole.indexOf('\n') + 1, 700, whole.length - 300, whole.length]) {
      writeFileSync(file, whole)
      truncateSync(file, bytes)
      await answerOf('export', 'payments', '--to-file', file, '--resume')
      expect(readFileSync(file, 'utf8')).toBe(whole)
    }
    expect(await history('export', 'orders', '--to-file', file, '--resume')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has other columns/),
    })
  })

  it('as JSON goes on only in a file of its own rows', async () => {
    const payments = await answerOf('export', 'payments', '--format', 'ndjson')
    const others = [await answerOf('export', 'orders', '--format', 'ndjson'), await answerOf('export', 'payments')]
    const file = join(seeded, 'payments.ndjson')
    const resumed = ['export', 'payments', '--format', 'ndjson', '--to-file', file, '--resume']
    for (const bytes of [0, 5, 40, payments.indexOf('\n') + 1, payments.length - 30, payments.length]) {
      writeFileSync(file, payments.slice(0, bytes))
      expect(await history(...resumed)).toMatchObject({ code: 0 })
      expect(readFileSync(file, 'utf8')).toBe(payments)
    }
    for (const other of [...others, 'notes\nof mine\n', 'notes', '[1]\n', 'null\n']) {
      writeFileSync(file, other)
      expect(await history(...resumed)).toMatchObject({ code: 2, stderr: expect.stringMatching(/has other columns/) })
      expect(readFileSync(file, 'utf8')).toBe(other)
    }
  })

  it.for([
    ['orders', '--to 2020-01-01'],
    ['orders', '--from 2030-01-01'],
    ['orders', '--as-of 2020-01-01'],
    ['orders', '--to 1000 --as-of 2020-01-01'],
    ['payments', '--to 100'],
    ['events', '--to 100'],
    ['events', '--from 2030-01-01'],
  ])('of %s keeps its last row: it does not go on by %s', async ([what = '', options = '']) => {
    const file = join(seeded, `kept-${what}.csv`)
    const whole = await answerOf('export', what, '--to', '1000')
    writeFileSync(file, whole)
    const resumed = ['export', what, '--to-file', file, '--resume']
    expect(await history(...resumed, ...options.split(' '))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        / ends at position \d+, which these options leave out: .* --from, --to and --as-of/,
      ),
    })
    expect(readFileSync(file, 'utf8')).toBe(whole)
    const last = String(/^\d+/.exec(whole.split('\n').at(-2) ?? ''))
    for (const end of ['1000', last]) {
      writeFileSync(file, whole.slice(0, -2))
      await answerOf(...resumed, '--to', end)
      expect(readFileSync(file, 'utf8')).toBe(whole)
    }
  })

  it('does not go on with a file of another log', async () => {
    const file = join(seeded, 'other.csv')
    const [head = '', first = ''] = (await answerOf('export', 'orders')).split('\n')
    const moved = first.replace(/^\d+/, '99999999')
    writeFileSync(file, `${head}\n${first}\n${moved}\n`)
    expect(await history('export', 'orders', '--to-file', file, '--resume')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ ends at position 99999999, /),
    })
  })

  it('of orders as of a moment has those of that moment', async () => {
    const rows = await jsonLines('export', 'orders', '--format', 'ndjson', '--as-of', '2026-01-15')
    const listed = await jsonLines('orders', '--as-of', '2026-01-15', '--json')
    expect(statesOf(rows.filter(({ isDeleted }) => isDeleted === false))).toEqual(
      statesOf(listed.filter(({ isDeleted }) => isDeleted === false)),
    )
  })

  it('names buyers only with --reveal, which the log notes, and never erased ones', async () => {
    const folder = newFolder()
    const anna = 'anna@example.test'
    const all = async (...words: string[]): Promise<string> => (await inFolder(folder, ...words)).stdout
    const everywhere = async (orderId: string): Promise<string> => {
      const asked = ['export orders', 'export events', 'export payments', 'events', 'orders --json']
      let texts = ''
      for (const words of [...asked, `order ${orderId} --json`]) texts += await all(...words.split(' '))
      return texts
    }
    try {
      const orderId = await during(folder, async (shop) => {
        const id = await order(shop, anna)
        await complete(shop, id)
        await complete(shop, await order(shop, 'bert@example.test'))
        return id
      })
      const texts = await everywhere(orderId)
      expect(texts).toContain(orderId)
      expect(texts).not.toMatch(/example\.test|"v1\./)
      const figures = await all('analytics', '--json', '--as-of', '2100-01-01')
      expect(await inFolder(folder, 'export', 'orders', '--reveal')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/anna@example\.test[^]*bert@example\.test/),
        stderr: expect.stringContaining('The log of the shop notes it.'),
      })
      expect(await all('events', '--type', 'PersonalDataRevealed')).toMatch(/^[^\n]*"what":"orders"[^\n]*\n$/)

      const erased = await during(folder, async ({ url = '' }) =>
        ask(url, 'POST', '/api/admin/erase-customer', { body: { email: anna }, headers: await asOwner(url) }),
      )
      expect(erased.body).toMatchObject({ erased: true })
      const revealed = await all('export', 'orders', '--reveal')
      expect(revealed).toContain('bert@example.test')
      expect(revealed).not.toContain('anna')
      const [, first] = cellsOf(revealed)
      expect(first?.slice(-3)).toEqual(['', '', ''])
      expect(await everywhere(orderId)).not.toContain('anna')
      const after = JSON.parse(await all('analytics', '--json', '--as-of', '2100-01-01')) as Record<string, unknown>
      expect(after['totals']).toEqual((JSON.parse(figures) as Record<string, unknown>)['totals'])
    } finally {
      removeFolder(folder)
    }
  })

  it('that is refused reveals nothing, and the log notes nothing', async () => {
    const folder = newFolder()
    const all = async (...words: string[]): Promise<Ended> => inFolder(folder, ...words)
    const [file, plain] = [join(folder, 'orders.csv'), join(folder, 'plain.csv')]
    try {
      await during(folder, async (shop) => order(shop, 'anna@example.test'))
      expect(await all('export', 'orders', '--to-file', plain)).toMatchObject({ code: 0 })
      const before = readFileSync(plain, 'utf8')
      for (const [words, sentence] of [
        [['--to-file', plain], /^[^\n]* is there already: --resume [^\n]*\n$/],
        [['--to-file', plain, '--resume'], /^[^\n]* has other columns: [^\n]*\n$/],
        [['--to-file', join(folder, 'nowhere', 'orders.csv')], /^[^\n]* cannot be written \(ENOENT\)[^\n]*\n$/],
        [['--to-file', file, '--resume'], /^there is no [^\n]*: leave out --resume [^\n]*\n$/],
      ] as const)
        expect(await all('export', 'orders', '--reveal', ...words)).toEqual({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(sentence),
        })
      rmSync(join(folder, VAULT_FILE))
      expect(await all('export', 'orders', '--reveal', '--to-file', file)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^[^\n]* is missing or empty, [^\n]*\n$/),
      })
      expect(existsSync(file)).toBe(false)
      expect(readFileSync(plain, 'utf8')).toBe(before)
      expect((await all('events', '--type', 'PersonalDataRevealed')).stdout).toBe('')
    } finally {
      removeFolder(folder)
    }
  })
})

/** Of the guide: each question's command and its SQL. */
function questions(): { title: string; words: string[]; sql: string }[] {
  return ANALYSTS.split('\n### ')
    .slice(1)
    .flatMap((section) => {
      const [, title] = /^(\d+\. .*)$/m.exec(section) ?? []
      const [, command = ''] = /^ {4}npm run history -- (.*)$/m.exec(section) ?? []
      const [, sql = ''] = /```sql\n([^]*?)```/.exec(section) ?? []
      return title === undefined ? [] : [{ title, words: command.split(' '), sql }]
    })
}

const picked = (rows: unknown, names: Readonly<Record<string, string>>): Rows =>
  (rows as Rows).map((row) => Object.fromEntries(Object.entries(names).map(([to, from]) => [to, row[from]])))
const nonZero = (rows: Rows, name: string): Rows => rows.filter((row) => row[name] !== 0)
const byText = (rows: Rows): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

/** The command's answer in the shape of the SQL. */
const shapes: readonly ((answer: Record<string, unknown>) => Rows)[] = [
  ({ rows }) => nonZero(picked(rows, { month: 'key', revenueCents: 'revenueCents' }), 'revenueCents'),
  ({ rows }) => nonZero(picked(rows, { day: 'key', completed: 'completed', coinsM: 'coinsM' }), 'completed'),
  ({ rows }) => picked(rows, { method: 'key', placed: 'placed', paid: 'paid', revenueCents: 'revenueCents' }),
  ({ rows }) => nonZero(picked(rows, { month: 'key', placed: 'placed', paid: 'paid' }), 'placed'),
  ({ rows }) =>
    nonZero(picked(rows, { discount: 'key', completed: 'completed', averageCents: 'averageCents' }), 'completed').map(
      (row) => ({ ...row, discount: Number(row['discount']) }),
    ),
  ({ rows }) =>
    picked(rows, { pack: 'key', completed: 'completed', revenueCents: 'revenueCents' }).map((row) => ({
      ...row,
      pack: Number(row['pack']),
    })),
  ({ rows }) => nonZero(rows as Rows, 'orders'),
  ({ rows }) => {
    const sum = (name: string): number => (rows as Rows).reduce((all, row) => all + Number(row[name]), 0)
    return [{ setM: sum('setM'), soldM: sum('soldM'), reservedM: (rows as Rows).at(-1)?.['reservedM'] }]
  },
  ({ rows }) => nonZero(picked(rows, { month: 'key', refundedCents: 'refundedCents' }), 'refundedCents'),
  ({ changes }) =>
    picked(
      (changes as Rows).filter(({ setting }) => setting === 'basePriceCents'),
      { at: 'at', cents: 'to', orders: 'orders' },
    ),
]

describe('docs/analysts.md', () => {
  it('has ten questions, whose commands and SQL over the exports agree to the cent', async () => {
    const tables = {
      orders: { text: await answerOf('export', 'orders'), columns: orderColumns },
      payments: { text: await answerOf('export', 'payments'), columns: paymentColumns },
      events: { text: await answerOf('export', 'events'), columns: eventColumns },
    }
    const database = databaseOf(tables)
    const asked = questions()
    expect(asked).toHaveLength(10)
    for (const [index, { title, words, sql }] of asked.entries()) {
      const answer = shapes[index]?.(await json(...words)) ?? []
      const found = database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })) as Rows
      expect(answer).not.toEqual([])
      expect({ title, rows: byText(answer) }).toEqual({ title, rows: byText(found) })
    }
  })

  it('names every column of an export with its type', () => {
    for (const { name, type, says } of [...orderColumns, ...paymentColumns, ...eventColumns])
      expect(ANALYSTS).toContain(`| \`${name}\` | ${type} | ${says}`)
  })

  it('names the columns of the table that may be read', () => {
    const database = new DatabaseSync(join(seeded, EVENTS_FILE), { readOnly: true })
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('events')`)
      .all()
      .map(({ name }) => String(name))
    database.close()
    const [, section = ''] = ANALYSTS.split('| column of `events` | holds |')
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(columns)
  })

  it('names every verb', () => {
    for (const verb of verbs) expect(ANALYSTS).toMatch(new RegExp(`^\\| \`${verb}[ \`]`, 'm'))
  })
})
