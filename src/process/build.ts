import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Build } from '../api/api.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMIT = /^[0-9a-f]{7,64}$/
const COMMIT_LENGTH = 12
const GIT_MS = 2_000

/** The release's version (`package.json`) and commit, from the environment (an image has no `.git`) or the checkout. */
export function buildOf(commit: string | undefined, root = ROOT): Build {
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version?: string }
  const found = commit ?? commitOf(root)
  return { version: version ?? 'unknown', commit: COMMIT.test(found) ? found.slice(0, COMMIT_LENGTH) : 'unknown' }
}

function commitOf(folder: string): string {
  const { stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8', timeout: GIT_MS })
  return stdout?.trim() ?? ''
}
