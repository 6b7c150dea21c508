import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { flag, parsed, text, UsageError, wholeNumber } from './command-line.ts'
import { progressOn } from './progress.ts'

const command = {
  operands: ['FOLDER'],
  options: {
    books: flag('the books, too'),
    from: text('FOLDER', 'from where'),
    seeds: wholeNumber('N', 'how many', { min: 1, max: 9 }),
  },
}

describe('a command line', () => {
  it('is read as its table says', () => {
    expect(parsed(command, ['there', '--seeds', '3', '--books'])).toEqual({
      values: { books: true, from: undefined, seeds: 3 },
      operands: ['there'],
    })
    expect(parsed({}, [])).toEqual({ values: {}, operands: [] })
  })

  it('takes a value that begins with a dash behind =, and any word behind --', () =>
    expect(parsed(command, ['--from=-x', '--', '--seeds'])).toEqual({
      values: { books: undefined, from: '-x', seeds: undefined },
      operands: ['--seeds'],
    }))

  it.for(['-h', '--help'])('asks for help by %s', (word) => expect(parsed(command, [word])).toBeUndefined())

  it.for<[words: string[], sentence: RegExp]>([
    [['there', '--sedes', '3'], /unknown option '--sedes'/],
    [['there', '-x'], /unknown option '-x'/],
    [['there', '--seeds', '10'], /--seeds takes a whole number from 1 to 9, not '10'/],
    [['there', '--seeds', '0x3'], /--seeds takes a whole number/],
    [['there', '--seeds', ''], /--seeds takes a value/],
    [['there', '--seeds'], /^--seeds takes N \(how many\)$/],
    [['there', '--seeds', '-1'], /^--seeds takes N \(how many\), not '-1'$/],
    [['there', '--from', '--books'], /^--from takes FOLDER \(from where\), not '--books'$/],
    [['there', '--from=-1', '--seeds', '--', '3'], /^--seeds takes N \(how many\), not '--'$/],
    [['there', '--from='], /--from takes a value/],
    [['there', '--books=yes'], /--books/],
    [['there', 'more'], /unexpected argument 'more'/],
    [[], /FOLDER is missing/],
  ])('%s is refused in one line', ([words, sentence]) => {
    expect(() => parsed(command, words)).toThrow(UsageError)
    expect(() => parsed(command, words)).toThrow(sentence)
    expect(() => parsed(command, words)).not.toThrow(/\n/)
  })
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function bash(script: string, env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { PATH: process.env['PATH'] ?? '', NODE: process.execPath, DATA_DIR: '/nowhere/shop', ...env }
    execFile('bash', ['--norc', '-c', script], { cwd: ROOT, env: all }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

const scripts = [
  ...['admin', 'backup', 'doctor', 'restore', 'seed', 'verify'].map((name) => `src/cli/${name}.ts`),
  'src/testing/simulate.ts',
  'bench/run.ts',
]

describe.for(scripts)('%s', { timeout: 60_000 }, (script) => {
  it('explains itself, also to a reader who has read enough', async () => {
    for (const word of ['-h', '--help']) {
      const { code, stdout, stderr } = await bash(`$NODE ${script} ${word}`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^npm run \w+[^\n]+\n[^]*Exit codes: 0 /)
    }
    // `head -c 0` has closed the pipe before the first line.
    const piped = `$NODE ${script} --help | (exec 0<&-; sleep 0.1); echo "\${PIPESTATUS[0]}"`
    expect(await bash(piped)).toEqual({ code: 0, stdout: '0\n', stderr: '' })
  })

  it.for(['--frobnicate', '--frobnicate=3', '-z', 'one two three'])('refuses %s in one line', async (words) => {
    expect(await bash(`$NODE ${script} ${words}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+\(see npm run \w+ -- --help\)\n$/),
    })
  })
})

it('seeds no folder that is in use', async () => {
  expect(await bash('$NODE src/cli/seed.ts --orders 1 --data-dir src')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^src is not empty; [^\n]+\n$/),
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

function shownOn(isTTY: boolean): string {
  const written: string[] = []
  let now = 0
  const write = (chunk: string): boolean => written.push(chunk) > 0
  const progress = progressOn({ isTTY, columns: 12, write }, () => now)
  for (; now <= 10_000; now += 2_500) progress.show(`${now} of 10000 orders`)
  progress.clear()
  return written.join('')
}

describe('progress', () => {
  it('is a line every few seconds in a file', () =>
    expect(shownOn(false)).toBe('5000 of 10000 orders\n10000 of 10000 orders\n'))

  it('is one line on a terminal that fits into it and is cleared in the end', () => {
    const erase = '\r\u001B[K'
    expect(shownOn(true).split(erase)).toEqual([
      '',
      '0 of 10000 ',
      ...['2500', '5000', '7500', '10000'].map((at) => `${at} of 10000`.slice(0, 11)),
      '',
    ])
  })
})
