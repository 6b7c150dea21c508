import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startArguments, startShopProcess } from './testing/shop-process.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'coinshop-main-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function heapsOfShop(env: Record<string, string> = {}): Promise<string | undefined> {
  const shop = await startShopProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'a long password', ...env })
  const environment = readFileSync(`/proc/${shop.pid}/environ`, 'utf8')
  // It is the process that was started, so a signal reaches it.
  expect(await shop.stop()).toBe(0)
  return /(?:^|\0)MALLOC_ARENA_MAX=(\d+)/.exec(environment)?.[1]
}

describe.runIf(process.platform === 'linux')('the heaps of its threads', { timeout: 60_000 }, () => {
  it('are two, unless the operator says otherwise', async () => {
    expect(await heapsOfShop()).toBe('2')
    expect(await heapsOfShop({ MALLOC_ARENA_MAX: '5' })).toBe('5')
  })

  it('are asked for once, also where the system takes the wish away', async () => {
    // As its loader does for a Node that has capabilities of its own.
    const taken = 'data:text/javascript,delete process.env.MALLOC_ARENA_MAX'
    expect(await heapsOfShop({ NODE_OPTIONS: `--import=${taken.replaceAll(' ', '%20')}` })).toBe('2')
  })
})

it.each([
  { argument: '--help', code: 0 },
  { argument: '--port', code: 2 },
])('says how it is used and ends with $code, asked with $argument', async ({ argument, code }) => {
  const child = spawn(process.execPath, [...startArguments(), argument], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([code, null])
})
