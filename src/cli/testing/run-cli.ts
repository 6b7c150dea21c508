import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { run } from '../program.ts'
import { shopProgram } from '../verbs.ts'

/** The result of a command. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Env = Readonly<Record<string, string>>

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OUTPUT_MAX_BYTES = 100_000_000

/** Runs `npm run shop -- WORDS` in a new process, with only PATH and this environment. */
export async function runShop(words: readonly string[], env: Env = {}, input = ''): Promise<Ended> {
  return runProgram(process.execPath, ['src/cli/shop.ts', ...words], env, input)
}

/** Runs a program in the root of the checkout. */
export async function runProgram(program: string, words: readonly string[], env: Env = {}, input = ''): Promise<Ended> {
  const options = { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '', ...env }, maxBuffer: OUTPUT_MAX_BYTES }
  return new Promise((resolve) => {
    const child = execFile(program, words, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Runs `npm run shop -- WORDS` in this process, with only this environment; one at a time. */
export async function runHere(words: readonly string[], env: Env = {}): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += chunk.toString()
      return true
    }),
  )
  const before = { env: process.env, code: process.exitCode }
  process.env = { ...env }
  process.exitCode = 0
  try {
    await run(shopProgram(), words)
    return { code: process.exitCode, ...written }
  } finally {
    process.env = before.env
    process.exitCode = before.code
    for (const spy of spies) spy.mockRestore()
  }
}
