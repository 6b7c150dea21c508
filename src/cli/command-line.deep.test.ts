import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { during, newFolder, order, removeFolder } from '../testing/shop-folder.ts'
import { runProgram } from './testing/run-script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = newFolder()
afterAll(() => removeFolder(folder))

const bash = async (script: string) =>
  runProgram('bash', ['--norc', '-c', script], { NODE: process.execPath, DATA_DIR: folder })

const scripts = [
  ...['admin', 'backup', 'doctor', 'history', 'restore', 'seed', 'verify'].map((name) => `src/cli/${name}.ts`),
  'src/testing/simulate.ts',
  'bench/run.ts',
]

it.for(scripts)('%s explains itself, and refuses what it does not know in one line', async (script) => {
  const help = await bash(`$NODE ${script} --help`)
  expect(help).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^npm run \w+[^\n]+\n[^]*Exit codes: 0 /) })
  expect(await bash(`$NODE ${script} --frobnicate`)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]+\(see npm run \w+ -- --help\)\n$/),
  })
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command removes what it must on %s, and ends with %i', async (signal, code) => {
  const script = `
    import { runCommand } from ${JSON.stringify(new URL('command-line.ts', import.meta.url).href)}
    process.once('exit', () => process.stdout.write('removed'))
    const run = async () => new Promise((resolve) => process.stdout.write('ready ', () => setTimeout(resolve, 1e8)))
    await runCommand({ name: 'test', does: '', notes: '', run })`
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

describe('npm run history in a process of its own', () => {
  it('ends without a word where its reader has read enough', async () => {
    await during(folder, async (shop) => order(shop, 'anna@example.test'))
    // `head -c 0` has closed the pipe before the first line.
    const piped = await bash('$NODE src/cli/history.ts events | (exec 0<&-; sleep 0.1); echo "${PIPESTATUS[0]}"')
    expect(piped).toEqual({ code: 0, stdout: '0\n', stderr: '' })
  })

  it.skipIf(process.platform === 'win32')('says that a file is full, and goes on with it later', async () => {
    await during(folder, async (shop) => {
      for (let count = 0; count < 200; count += 1) await order(shop, `buyer-${count}@example.test`)
    })
    const file = join(folder, 'full.csv')
    const exported = `$NODE src/cli/history.ts export events --to-file ${file}`
    expect(await bash(`trap '' XFSZ; ulimit -f 64; exec ${exported}`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} cannot be written to its end (EFBIG): make room, then go on by --resume\n`,
    })
    expect((await bash(`${exported} --resume`)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe((await bash('$NODE src/cli/history.ts export events')).stdout)
  })

  it('follows the log with --follow', async () => {
    await during(folder, async (shop) => {
      const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
      const words = [join(ROOT, 'src/cli/history.ts'), 'events', '--type', 'OrderPlaced', '--follow']
      const child = execFile(process.execPath, words, { env })
      onTestFinished(() => void child.kill())
      let seen = ''
      child.stdout?.on('data', (text: string) => (seen += text))
      for (const buyer of ['bert@example.test', 'cora@example.test']) {
        const placed = await order(shop, buyer)
        await expect.poll(() => seen, { timeout: 30_000 }).toContain(placed)
      }
    })
  })
})
