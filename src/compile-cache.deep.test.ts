import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installedCopy } from './testing/installed-copy.ts'

const THREADS_OWN = 'src/run-projector.ts'

let copy: string
let cache: string
let remove: () => void

beforeEach(() => {
  ;({ root: copy, remove } = installedCopy())
  cache = join(copy, 'node_modules', '.cache', 'coinshop')
})
afterEach(() => remove())

/** Says at the end whether Node has loaded its TypeScript compiler. */
const COMPILER_TOLD = `process.on('exit', () => process._rawDebug('compiler:', process.moduleLoadList.some((name) => name.includes('amaro'))))`

interface Started {
  /** Which of its files it had compiled already. */
  readonly found: readonly string[]
  readonly compiles: boolean
}

/** Starts it and stops it in order. */
async function startAndStop(): Promise<Started> {
  const child = spawn(process.execPath, [join(copy, 'src', 'main.js')], {
    env: {
      PATH: process.env['PATH'],
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COMPILER_TOLD)}`,
      DATA_DIR: join(copy, 'data'),
      PORT: '0',
      ADMIN_PASSWORD: 'a long password',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  const found: string[] = []
  let compiles = false
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      const file = /for StrippedTypeScript file:\S+\/(src\/[\w/.-]+\.ts)\.\.\.success/.exec(line)?.[1]
      if (line.includes('retrieving transpile cache') && file !== undefined) found.push(file)
      if (line === 'compiler: true') compiles = true
      if (line.includes(' is open: ')) child.kill('SIGTERM')
    })
  const [code] = (await exit) as [number | null]
  expect(code).toBe(0)
  return { found, compiles }
}

describe('what the shop is compiled to', () => {
  it('is found by the next start, which loads no compiler, and made again where it was damaged', async () => {
    const first = await startAndStop()
    expect(first).toMatchObject({ compiles: true, found: expect.not.arrayContaining(['src/run-shop.ts']) })
    const second = await startAndStop()
    expect(second.found).toEqual(expect.arrayContaining(['src/open.ts', 'src/run-shop.ts', THREADS_OWN]))
    expect(second.compiles).toBe(false)

    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(100)
    for (const [index, { parentPath, name }] of files.entries())
      writeFileSync(join(parentPath, name), index % 2 === 0 ? '' : 'rubbish'.repeat(200))
    expect((await startAndStop()).found).toEqual([])
    expect((await startAndStop()).found).toContain('src/run-shop.ts')
  })

  it('is kept nowhere where its folder cannot be made', async () => {
    mkdirSync(dirname(dirname(cache)), { recursive: true })
    writeFileSync(dirname(cache), 'not a folder')
    for (let start = 0; start < 2; start += 1) expect((await startAndStop()).found).toEqual([])
  })
})
