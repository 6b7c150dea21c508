import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { installedCopy } from './testing/installed-copy.ts'

const THREADS_OWN = 'src/run-projector.ts'

/** Says at the end whether Node has loaded its TypeScript compiler. */
const COMPILER_TOLD = `process.on('exit', () => process._rawDebug('compiler:', process.moduleLoadList.some((name) => name.includes('amaro'))))`

interface Started {
  /** Which of its files it had compiled already. */
  readonly found: readonly string[]
  readonly compiles: boolean
}

/** Starts it and stops it in order. */
async function startAndStop(copy: string): Promise<Started> {
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

it('finds what the start before has compiled, also in its threads, and loads no compiler', async () => {
  const root = installedCopy()
  expect(await startAndStop(root)).toMatchObject({
    compiles: true,
    found: expect.not.arrayContaining(['src/run-shop.ts']),
  })
  const { found, compiles } = await startAndStop(root)
  expect(found).toEqual(expect.arrayContaining(['src/open.ts', 'src/run-shop.ts', THREADS_OWN]))
  expect(compiles).toBe(false)
})
