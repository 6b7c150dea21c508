import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { changeAdmin } from '../commands/admin-password.ts'
import { logInAdmin } from '../commands/log-in-admin.ts'
import { receiptStream } from '../shop/keys.ts'
import { namedLog, nameLog } from '../shop/log-head.ts'
import { systemCaller } from '../shop/command-context.ts'
import { systemRandom } from '../process/system.ts'
import { allEvents } from '../testing/audit-books.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { complete, during, order } from '../testing/shop-folder.ts'
import { copyOf, testFolder } from '../ports/testing/test-folder.ts'
import { noteUnplacedMoney } from '../testing/unplaced-money.ts'
import { runHere, runShop } from './testing/run-cli.ts'
import { VAULT_FILE, VIEWS_FOLDER } from '../engines/open-engines.ts'

const SHOP = fileURLToPath(new URL('shop.ts', import.meta.url))
const ANNA = 'anna@example.test'

let folder: string

beforeEach(() => {
  folder = testFolder()
})

const inShop = (env: Record<string, string>) => ({ DATA_DIR: folder, ...env })

/** With input from a pipe. */
const adminTold = async (input: string, verb: string, env: Record<string, string> = {}) =>
  runShop(['admin', verb], inShop(env), input)

const unplaced = async (...words: string[]) => runHere(['admin', 'unplaced', ...words], inShop({}))

const oneLine = /^[^\n]+\n$/

/** Types on a terminal: each answer after its question. */
async function typed(words: readonly string[], answers: readonly (readonly [question: string, answer: string])[]) {
  const command = [process.execPath, SHOP, 'admin', ...words].map((word) => `'${word}'`).join(' ')
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, TERM: 'xterm' }
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env })
  const left = [...answers]
  let [screen, seen] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk
    const [next] = left
    const at = next === undefined ? -1 : screen.indexOf(next[0], seen)
    if (next === undefined || at < 0) return
    seen = at + next[0].length
    left.shift()
    child.stdin.write(next[1])
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, screen }
}

function filesIn(place: string): Buffer[] {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
}

const withoutTerminals = spawnSync('script', ['--version']).status === 0 ? undefined : 'there is no script(1)'

async function setTyped(first: string, second: string) {
  return typed(
    ['set-password'],
    [
      ['New password: ', first],
      ['once more: ', second],
    ],
  )
}

describeUnless(withoutTerminals, 'shop admin on a terminal', () => {
  vi.setConfig({ testTimeout: 60_000 })

  it('set-password asks for a password twice without showing it', async () => {
    await during(folder, async () => undefined)
    const { code, screen } = await setTyped('a wrong\u007Fg secret word\r', 'a wrong secret word\r')
    expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('The new password is in force') })
    expect(screen).not.toMatch(/secret|word\r/)
    await during(folder, async ({ context }) => {
      const logIn = async (password: string) =>
        logInAdmin(context, systemCaller(systemRandom), { email: 'owner@localhost', password })
      await expect(logIn('a wrong secret word')).resolves.toBeDefined()
    })
  })

  it('set-password changes nothing when the two passwords differ', async () => {
    await during(folder, async () => undefined)
    const { code, screen } = await setTyped('a long secret word\r', 'a long secret wird\r')
    expect({ code, screen }).toEqual({ code: 1, screen: expect.stringContaining('the two passwords differ') })
  })

  it.for([
    ['set-password', 'New password: '],
    ['erase', 'E-mail of the person to erase: '],
  ] as const)('%s ends quietly on Ctrl-C', async ([verb, question]) => {
    await during(folder, async () => undefined)
    const { code, screen } = await typed([verb], [[question, '\u0003']])
    expect(code).toBe(130)
    expect(screen.replace('^C', '').trim()).toBe(question.trim())
  })
})

describe('shop admin', { timeout: 60_000 }, () => {
  it.for([
    ['too short', 'a password needs at least 10 characters'],
    ['x'.repeat(1_001), 'a password has at most 1000 characters'],
  ] as const)('set-password rejects a password that no log-in accepts: %#', async ([password, line]) => {
    await during(folder, async () => undefined)
    expect(await adminTold(`${password}\n`, 'set-password')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(line),
    })
  })

  it.for(['set-password', 'reset-second-factor', 'erase', 'accept-loss'])(
    '%s asks and creates nothing without a shop',
    async (verb) => {
      const nowhere = join(folder, 'new')
      for (const place of [folder, nowhere])
        expect(await adminTold(`${ANNA}\nyes\n`, verb, { DATA_DIR: place })).toEqual({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/^no shop in [^\n]+\n$/),
        })
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('reset-second-factor asks, and turns login codes off', async () => {
    const turnedOn = async () =>
      during(folder, async ({ context }) =>
        changeAdmin(context, systemCaller(systemRandom), { type: 'RequireSecondFactor', factorId: 'f1' }),
      )
    await turnedOn()
    expect(await adminTold('no\n', 'reset-second-factor')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/every session ends[^]*Nothing was changed/),
    })
    expect(await adminTold('yes\n', 'reset-second-factor')).toMatchObject({
      code: 0,
      stdout: 'Login codes are off. Turn them on again in the settings.\n',
    })
    await during(folder, async ({ context }) => {
      const events = await context.log.readStream('admin-owner')
      expect(events.map(({ type }) => type)).toEqual([
        'AdminPasswordSet',
        'SecondFactorRequired',
        'SecondFactorRemoved',
      ])
    })
  })

  it('erase removes a customer of a running shop from its files and says so in one line', async () => {
    await during(folder, async (shop) => {
      await complete(shop, await order(shop, ANNA))
      expect(await adminTold(' Anna@Example.test \nyes\n', 'erase')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(oneLine),
        stderr: expect.stringMatching(/every order and event \(1 order: [0-9A-Z]{8}\)/),
      })
      expect(await adminTold(`${ANNA}\nyes\n`, 'erase')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/Nobody has ordered with this e-mail\.\n$/),
      })
      await expect.poll(() => filesIn(folder).some((file) => file.includes(ANNA)), { timeout: 30_000 }).toBe(false)
    })
  })

  it('erase does nothing while the views of a stopped shop are behind', async () => {
    await during(folder, async (shop) => complete(shop, await order(shop, ANNA)))
    rmSync(join(folder, VIEWS_FOLDER), { recursive: true })
    expect(await adminTold(`${ANNA}\nyes\n`, 'erase')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/start the shop, and try again[^\n]+\n$/),
    })
  })

  it.for(['', 'no\n', 'YES\n'])('erase does nothing on the answer "%s"', async (answer) => {
    await during(folder, async (shop) => {
      await complete(shop, await order(shop, ANNA))
      expect(await adminTold(`${ANNA}\n${answer}`, 'erase')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/Nothing was erased\.\n$/),
      })
    })
    expect(await adminTold('anna\n', 'erase')).toMatchObject({ code: 1, stdout: '' })
  })

  it('accept-loss lets a shop start whose newest vault is lost', async () => {
    await during(folder, async (shop) => order(shop, 'bert@example.test'))
    const older = copyOf(folder)
    const orderId = await during(folder, async (shop) => order(shop, ANNA))
    copyFileSync(join(older, VAULT_FILE), join(folder, VAULT_FILE))
    await expect(during(folder, async () => undefined)).rejects.toThrow(/older copy/)
    expect(await adminTold('yes\n', 'accept-loss')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The shop goes on with what is left/),
      stderr: expect.stringMatching(/know of nothing after it\. 1 customers /),
    })
    await during(folder, async ({ engines }) => {
      const events = await engines.log.readStream(`order-${orderId}`)
      expect([...(await engines.log.openPersonal(events)).values()]).toEqual(['erased'])
    })
    expect(await adminTold('', 'accept-loss')).toMatchObject({ stderr: expect.stringContaining(' 0 customers ') })
    expect(await adminTold('bert@example.test\nyes\n', 'erase')).not.toMatchObject({
      stderr: expect.stringContaining('cannot be read'),
    })
  })

  it('accept-loss accepts another log only on yes, and records no lost events', async () => {
    const logId = await during(folder, async ({ engines }) => {
      await nameLog(engines.vault, 'another-log')
      return engines.logId
    })
    await expect(during(folder, async () => undefined)).rejects.toThrow(/not the log that .* names/)
    const asks = /ANOTHER log[^]*Type yes only if an older vault was put back and this is the log of the shop/
    expect(await adminTold('no\n', 'accept-loss')).toMatchObject({ code: 1, stderr: expect.stringMatching(asks) })
    await expect(during(folder, async () => undefined)).rejects.toThrow(/not the log that .* names/)
    expect(await adminTold('yes\n', 'accept-loss')).toMatchObject({ code: 0 })
    await during(folder, async ({ engines }) => {
      expect(await namedLog(engines.vault)).toBe(logId)
      const events = await allEvents(engines.log)
      expect(events.filter(({ type }) => type === 'LostEventsAccepted')).toEqual([])
    })
  })

  it('unplaced lists money without an order and settles it once', async () => {
    await during(folder, async ({ context }) => {
      expect(await unplaced()).toMatchObject({ code: 0, stdout: 'There is no money without an order.\n' })
      await noteUnplacedMoney(context, '77')
      const { stdout } = await unplaced()
      expect(stdout).toMatch(/^nowpayments\/77: 0\.29411765 LTC, came [\dT:.-]+Z, reference c-1\n[^\n]+OUTCOME\n$/)
      expect(await unplaced('nowpayments/77')).toMatchObject({ code: 2, stderr: expect.stringMatching(/paid-back/) })
      expect(await unplaced('nowpayments/77', 'paid-back')).toMatchObject({ code: 0 })
      const [settled] = (await context.log.readStream(receiptStream('nowpayments', '77'))).slice(-1)
      expect(settled).toMatchObject({ type: 'ReceiptUnplacedSettled', data: { outcome: 'paid-back' } })
      expect(await unplaced()).toMatchObject({ stdout: 'There is no money without an order.\n' })
      expect(await unplaced('nowpayments/78', 'paid-back')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^This money is not without an order/),
      })
    })
  })
})
