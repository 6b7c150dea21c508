import { execFile } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVENTS_FILE, VAULT_FILE } from '../engines.ts'
import { complete, copyOf, during, newFolder, numberOf, order, removeFolder } from '../testing/shop-folder.ts'

const ADMIN = fileURLToPath(new URL('admin.ts', import.meta.url))
const ANNA = 'anna@example.test'

let folder: string

beforeEach(() => {
  folder = newFolder()
})

afterEach(() => removeFolder(folder))

async function admin(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return adminTold('', ...words)
}

/** As somebody types, or a script writes. */
async function adminTold(input: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
    const child = execFile(process.execPath, [ADMIN, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

const oneLine = /^[^\n]+\n$/

describe('npm run admin', { timeout: 60_000 }, () => {
  it.for(['', 'erase anna', `erase ${ANNA}`, 'accept-lost-events now', 'set-password hunter2', 'forget'])(
    'says how it is used when told "%s"',
    async (words) => {
      expect(await admin(...words.split(' ').filter(Boolean))).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^usage: [^\n]+\n$/),
      })
    },
  )

  it('explains itself', async () => {
    const { code, stdout } = await admin('--help')
    expect(code).toBe(0)
    for (const word of ['set-password', 'erase ', 'accept-lost-events', 'accept-lost-customers', 'Exit codes'])
      expect(stdout).toContain(word)
  })

  it('erases a person, with the shop running or not, and says so in one line', async () => {
    await during(folder, async (shop) => {
      await complete(shop, await order(shop, ANNA))
      await complete(shop, await order(shop, 'bert@example.test'))
      expect(await adminTold(' Anna@Example.test \nyes\n', 'erase')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(oneLine),
        stderr: expect.stringMatching(/of this person \(1 order: [0-9A-Z]{8}\)/),
      })
    })
    expect(await adminTold(`${ANNA}\nyes\n`, 'erase')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nobody has ordered with this e-mail\.\n$/),
    })
    expect(await adminTold('bert@example.test\nyes\n', 'erase')).toMatchObject({ code: 0 })
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
    for (const person of [ANNA, 'bert@example.test']) expect(files.some((file) => file.includes(person))).toBe(false)
  })

  it.for(['', 'no\n', 'YES\n'])('erases nobody who answers "%s"', async (answer) => {
    await during(folder, async (shop) => complete(shop, await order(shop, ANNA)))
    expect(await adminTold(`${ANNA}\n${answer}`, 'erase')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nothing was erased\.\n$/),
    })
    expect(await adminTold('anna\n', 'erase')).toMatchObject({ code: 1, stdout: '' })
  })

  it('is refused while an order is open, and names it', async () => {
    const number = await during(folder, async (shop) => {
      return numberOf(shop, await order(shop, ANNA))
    })
    const { code, stderr } = await adminTold(`${ANNA}\nyes\n`, 'erase')
    expect(code).toBe(1)
    expect(stderr.split('\n').at(-2)).toContain(number)
  })

  it('leaves out order numbers that were given after a copy of log and vault that was put back', async () => {
    await during(folder, async (shop) => order(shop, ANNA))
    const older = copyOf(folder)
    const lost = await during(folder, async (shop) => numberOf(shop, await order(shop, 'bert@example.test')))
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    for (const name of [EVENTS_FILE, VAULT_FILE]) copyFileSync(join(older, name), join(folder, name))
    removeFolder(older)
    expect(await adminTold('no\n', 'accept-lost-events')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/nothing was changed\.\n$/),
    })
    expect(await adminTold('yes\n', 'accept-lost-events')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The shop goes on with the log up to position \d+; what came after it is lost/),
    })
    await during(folder, async (shop) => {
      expect(await numberOf(shop, await order(shop, 'carl@example.test'))).not.toBe(lost)
    })
  })

  it('lets a shop go on whose newest vault is lost', async () => {
    await during(folder, async (shop) => order(shop, 'bert@example.test'))
    const older = copyOf(folder)
    const orderId = await during(folder, async (shop) => order(shop, ANNA))
    copyFileSync(join(older, VAULT_FILE), join(folder, VAULT_FILE))
    removeFolder(older)
    await expect(during(folder, async () => undefined)).rejects.toThrow(/older copy/)
    expect(await admin('accept-lost-customers')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 customers/),
    })
    await during(folder, async ({ engines }) => {
      const events = await engines.log.readStream(`order-${orderId}`)
      expect([...(await engines.log.openPersonal(events)).values()]).toEqual(['erased'])
    })
    expect(await admin('accept-lost-customers')).toMatchObject({ stdout: expect.stringMatching(/^0 customers/) })
  })
})
