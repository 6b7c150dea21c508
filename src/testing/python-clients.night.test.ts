import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, it } from 'vitest'
import { testFolder } from '../ports/testing/test-folder.ts'
import { ADMIN_PASSWORD, ask, asOwner, setStock } from './buyers.ts'
import { describeUnless } from './describe-unless.ts'
import { provisionWith } from './engine-sets.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

/* Tools for OpenAPI that others wrote; docs/tests.md says how to install them. */

const run = promisify(execFile)
const FILES = join(import.meta.dirname, 'python')
const tools = process.env['PYTHON_TOOLS'] ?? ''
const CASES_MIN = 5_000
const OUTPUT_MAX = 100_000_000
const OUTPUT_SHOWN = 5_000

const missing = ['schemathesis', 'openapi-python-client', 'python'].find((name) => !existsSync(join(tools, name)))
const reason = missing && `PYTHON_TOOLS names no folder with ${missing}`

describeUnless(reason, 'tools of Python', () => {
  let shop: ShopProcess

  beforeEach(async () => {
    const place = await provisionWith({})
    shop = await startShopProcess({ ...place.env, ADMIN_PASSWORD, DELIVERY: 'staff', SANDBOX_DELAY_MS: '100' })
    return async () => {
      await shop.kill()
      await place.remove()
    }
  })

  const schemathesis = async (headers: Record<string, string>, options: readonly string[]) => {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const fixed = ['--checks', 'all', '--continue-on-failure', '--no-color', '--generation-database', 'none']
    const args = ['run', `${shop.url}/api/openapi.json`, ...sent, ...fixed, ...options]
    const env = { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: FILES, PYTHONDONTWRITEBYTECODE: '1' }
    const cwd = testFolder()
    copyFileSync(join(FILES, 'schemathesis.toml'), join(cwd, 'schemathesis.toml'))
    const { stdout } = await run(join(tools, 'schemathesis'), args, { cwd, env, maxBuffer: OUTPUT_MAX }).catch(
      (error: { stdout: string }) => error,
    )
    const report = stdout.slice(-OUTPUT_SHOWN)
    // Without a failure, all generated cases have passed.
    const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(report) ?? []
    expect(generated, report).toBeDefined()
    expect(passed, report).toBe(generated)
    return Number(generated)
  }

  it('schemathesis finds no 5xx, nothing invalid that is taken and nothing valid that is refused', async () => {
    await setStock(shop.url, 900_000)
    // The tool leaves the header out to try a call without it, and knows it by this spelling.
    const owner = { Authorization: (await asOwner(shop.url))['authorization'] ?? '' }
    // A stream never ends, and a logout would end the session of all other calls.
    const others = ['--exclude-path', '/api/updates', '--exclude-operation-id', 'logOut']
    const phases = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '100']
    expect(await schemathesis(owner, [...phases, ...others])).toBeGreaterThan(CASES_MIN)
    expect(await schemathesis({}, [...phases, '--include-operation-id', 'logOut'])).toBeGreaterThan(0)
  }, 1_800_000)

  it('a generated client of Python can place, pay and deliver an order', async () => {
    const folder = testFolder()
    const description = join(folder, 'api.json')
    writeFileSync(description, JSON.stringify((await ask(shop.url, 'GET', '/api/openapi.json')).body))
    const generate = ['generate', '--path', description, '--output-path', join(folder, 'client'), '--meta', 'none']
    await run(join(tools, 'openapi-python-client'), generate)
    copyFileSync(join(FILES, 'buy.py'), join(folder, 'buy.py'))
    const { stdout } = await run(join(tools, 'python'), ['buy.py', shop.url, ADMIN_PASSWORD], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual(['completed', 'completed', 60])
  }, 180_000)
})
