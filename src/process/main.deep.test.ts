import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { documentServer, serverMissing } from '../engines/mongodb/testing/document-server.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { installedCopy } from '../testing/installed-copy.ts'
import { startArguments, startShopProcess } from '../testing/shop-process.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

it.each([
  { argument: '--help', code: 0 },
  { argument: '--port', code: 2 },
])('says how it is used and ends with $code, asked with $argument', async ({ argument, code }) => {
  const child = spawn(process.execPath, [...startArguments(), argument], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([code, null])
})

const SOON = { timeout: 60_000, interval: 250 }

let folder: string

beforeEach(() => {
  folder = testFolder()
})

it.each<{ what: string; send: (npm: ChildProcess) => void }>([
  { what: 'SIGTERM, as a supervisor sends it', send: (npm) => npm.kill('SIGTERM') },
  { what: 'SIGINT, as Ctrl-C sends it to both', send: ({ pid = 0 }) => void process.kill(-pid, 'SIGINT') },
])(
  'npm start, with production dependencies alone ends the shop in order and ends with it on $what',
  async ({ send }) => {
    const root = installedCopy()
    const npm = spawn('npm', ['start'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: folder },
    })
    onTestFinished(() => endGroup(npm))
    const closed = once(npm, 'close')
    const lines: string[] = []
    for await (const line of createInterface({ input: npm.stdout })) {
      lines.push(line)
      if (line.includes(' is open')) send(npm)
    }
    expect(lines.slice(-2)).toEqual([expect.stringContaining('stopping'), expect.stringContaining('Stopped')])
    expect(await closed).toEqual([0, null])
  },
)

it('a signal during loading stops the shop in order', async () => {
  // The last that is asked before the shop is imported.
  const signalled = `import module from 'node:module'
    module.enableCompileCache = () => (process.kill(process.pid, 'SIGTERM'), {})`
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(signalled)}`, ...startArguments()],
    { stdio: 'ignore', env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: join(folder, 'data') } },
  )
  expect(await once(child, 'exit')).toEqual([0, null])
})

async function saidAtStart(env: Record<string, string> = {}): Promise<string> {
  const shop = await startShopProcess({ DATA_DIR: folder, ...env })
  await shop.stop()
  return shop.output.join('\n')
}

it('a start shows the release, and how to log in until the first login', async () => {
  expect(await saidAtStart()).toContain("The owner's account, shown this once")
  expect(await saidAtStart()).toContain('Nobody has logged in as owner@localhost yet.')
  const given = await saidAtStart({ ADMIN_PASSWORD: 'a long password', COMMIT_SHA: 'abcdef0' })
  expect(given).not.toContain('Nobody has logged in')
  expect(given).toMatch(/^Coinshop \([\d.]+, commit abcdef0\) is open: http/)
  expect(given.split('\n')[0]).toMatch(new RegExp(`; its folder is ${folder}$`))
})

it('a live shop that strangers can reach starts without a contact and names its opening price', async () => {
  const paypal = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'hook' }
  const live = { PAYMENTS: 'live', PAYPAL_URL: 'http://127.0.0.1:9', SUPPORT_EMAIL: '', ...paypal }
  const said = '; the opening price is on sale (1000M at $0.05): change or confirm it in the settings'
  const open = (await saidAtStart({ ...live, PUBLIC_URL: 'https://shop.example' })).split('\n')
  expect(open.find((line) => line.includes(' is open: '))?.endsWith(said)).toBe(true)
  expect(open.join('\n')).toContain('buyers cannot write to this shop: set a contact')
  expect(await saidAtStart({ ...live, PUBLIC_URL: 'http://localhost:3000' })).not.toContain('opening price')
})

it.runIf(existsSync('/dev/full'))(
  'goes on and ends in order where nothing can be written to its output: the disk behind it is full, or its reader has ended',
  async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const child = spawn(process.execPath, startArguments(), {
      stdio: ['ignore', 'pipe', full],
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'trace' },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    if (!child.stdout) throw new TypeError('a shop has an output')
    for await (const line of createInterface({ input: child.stdout })) if (line.includes(' is open')) break
    child.stdout.destroy()
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)

/** What is left of it after a failure. */
function endGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}

describeUnless(serverMissing, 'a shop whose views hang', () => {
  it(
    'a shop whose views hang reports their outage once and its end once, and stops within 10 s',
    { timeout: 120_000 },
    async () => {
      const documents = await documentServer()
      try {
        const shop = await startShopProcess({
          DATA_DIR: folder,
          MONGODB_URL: `${documents.url}/views`,
          LOG_LEVEL: 'info',
        })
        const said = (text: string) => shop.output.filter((line) => line.includes(text)).length
        documents.pause()
        await expect.poll(() => said('an engine is away'), SOON).toBe(1)
        documents.resume()
        await expect.poll(() => said('an engine is back'), SOON).toBe(1)
        expect([said('an engine is away'), said('a view cannot be kept up')]).toEqual([1, expect.toBeOneOf([0, 1])])
        documents.pause()
        const code = await shop.stop()
        expect([code, shop.output.at(-1)]).toEqual([0, expect.stringMatching(/^Stopped after \d\.\d s\.$/)])
      } finally {
        documents.resume()
        await documents.remove()
      }
    },
  )
})
