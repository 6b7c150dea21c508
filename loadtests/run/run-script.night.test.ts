import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runProgram } from '../../src/cli/testing/run-cli.ts'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { k6Program } from './k6.ts'
import { runScript } from './run-script.ts'
import { scriptNames } from './scripts.ts'

const VERSION = 'v1.8.1'
const INSTALLED_MS = 600_000

/** Installed for the test on CI machines with Go; undefined without k6. */
function k6ForTests(): string | undefined {
  return k6Program() ?? (process.env['CI'] === undefined ? undefined : installed())
}

function installed(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-k6-'))
  try {
    const env = { ...process.env, GOBIN: folder }
    execFileSync('go', ['install', `go.k6.io/k6@${VERSION}`], { env, stdio: 'ignore', timeout: INSTALLED_MS })
    return join(folder, 'k6')
  } catch {
    return undefined
  }
}

const k6 = k6ForTests()
const TIMEOUT = { timeout: 300_000 }
/** A few seconds of each, at rates that any machine can follow. */
const small = {
  browse: { size: 5, pushConnections: 30 },
  buy: { size: 5 },
  'stock-rush': { size: 150 },
  'pay-by-webhook': { size: 1 },
  flood: { size: 100, seconds: 6 },
} as const

/** The broken promises, and the runner's output. */
async function load(name: (typeof scriptNames)[number]) {
  const said: string[] = []
  const say = (text: string): number => said.push(text)
  const broken = await runScript(name, { k6: k6 ?? '', seconds: 3, isTimed: false, ...small[name], say })
  return { broken, said: said.join('\n') }
}

describeUnless(k6 === undefined ? 'there is no k6' : undefined, 'the load tests', () => {
  it.for(scriptNames)('the load %s keeps its promises on any machine', TIMEOUT, async (name) => {
    const { broken, said } = await load(name)
    expect(broken).toEqual([])
    expect(said).toMatch(/^\d+ orders acknowledged$/m)
  })

  it('a load test rejects a shop on another machine', async () => {
    const script = fileURLToPath(new URL('../browse.ts', import.meta.url))
    const env = { PATH: '/nowhere', HOME: '/nowhere', SHOP_URL: 'https://shop.example' }
    const { code, stderr } = await runProgram(k6 ?? '', ['run', '--quiet', script], env)
    expect(code).not.toBe(0)
    expect(stderr).toContain('https://shop.example is not this machine')
  })
})
