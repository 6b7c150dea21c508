import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { during, order } from '../testing/shop-folder.ts'
import { suiteFolder } from '../ports/testing/test-folder.ts'
import { runProgram } from './testing/run-cli.ts'

const folder = suiteFolder()

const bash = async (script: string) =>
  runProgram('bash', ['--norc', '-c', script], { NODE: process.execPath, DATA_DIR: folder })

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command cleans up on %s and ends with %i', async (signal, code) => {
  const script = `
    import { program, runProgram } from ${JSON.stringify(new URL('program.ts', import.meta.url).href)}
    process.once('exit', () => process.stdout.write('removed'))
    const work = async () => new Promise((resolve) => process.stdout.write('ready ', () => setTimeout(resolve, 1e8)))
    await runProgram(program('test', '').action(work))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    if (output === '') child.kill(signal)
    output += String(chunk)
  })
  expect(await once(child, 'close')).toEqual([code, null])
  expect(output).toBe('ready removed')
})

describe('shop history in a process of its own', () => {
  const file = join(folder, 'export.sqlite')

  it('history sql ends silently when its reader closes the pipe', async () => {
    await during(folder, async (shop) => {
      for (let count = 0; count < 200; count += 1) await order(shop, `buyer-${count}@example.test`)
    })
    expect(await bash(`$NODE src/cli/shop.ts history export ${file}`)).toMatchObject({ code: 0, stderr: '' })
    // The reader closes the pipe before the first line.
    const asked = `$NODE src/cli/shop.ts history sql ${file} 'SELECT * FROM events'`
    const piped = await bash(`${asked} | (exec 0<&-; sleep 0.1); echo "\${PIPESTATUS[0]}"`)
    expect(piped).toEqual({ code: 0, stdout: '0\n', stderr: '' })
  })

  it.skipIf(process.platform === 'win32')('history export reports a full disk and leaves no file', async () => {
    const full = join(folder, 'full.sqlite')
    expect(await bash(`trap '' XFSZ; ulimit -f 64; exec $NODE src/cli/shop.ts history export ${full}`)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]*full\.sqlite cannot be written: [^\n]+\n$/),
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([])
  })
})
