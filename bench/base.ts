import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { folderOfRun } from './leftovers.ts'

const run = promisify(execFile)

/** For npm and git, whose error is in the last line. */
const OUTPUT_BYTES_MAX = 16_777_216

/** Checks out an earlier commit and installs its packages; returns its root. Throws a one-line error. */
export async function checkOut(from: string, commit: string): Promise<string> {
  const root = folderOfRun()
  await step(`git cannot clone this checkout`, 'git', ['clone', '-q', '--no-checkout', '--shared', from, root])
  await step(`this checkout has no commit ${commit}`, 'git', ['-C', root, 'checkout', '-q', '--detach', commit])
  await step(`npm ci of ${commit} failed`, 'npm', ['ci', '--no-audit', '--no-fund'], root)
  return root
}

async function step(what: string, program: string, words: readonly string[], cwd?: string): Promise<void> {
  try {
    await run(program, words, { maxBuffer: OUTPUT_BYTES_MAX, ...(cwd !== undefined && { cwd }) })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const line = said.split('\n').findLast((one) => one.trim() !== '') ?? 'it gives no reason'
    throw new Error(`--base: ${what}: ${line.trim()}`, { cause: error })
  }
}

/** The Node that a checkout's lock file installs. */
export function nodeOf(root: string): string {
  const path = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(path) ? path : process.execPath
}
