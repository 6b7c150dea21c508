import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How a command has ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Env = Readonly<Record<string, string>>

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OUTPUT_MAX_BYTES = 100_000_000

/** Runs `src/cli/NAME.ts` in a process of its own, with this environment and the PATH alone. */
export async function runScript(name: string, words: readonly string[], env: Env = {}, input = ''): Promise<Ended> {
  return runProgram(process.execPath, [`src/cli/${name}.ts`, ...words], env, input)
}

/** From the root of the checkout. */
export async function runProgram(program: string, words: readonly string[], env: Env = {}, input = ''): Promise<Ended> {
  const options = { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '', ...env }, maxBuffer: OUTPUT_MAX_BYTES }
  return new Promise((resolve) => {
    const child = execFile(program, words, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}
