import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* JavaScript as it is, so that a start loads no TypeScript compiler for it. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Beside the built screens: what they were built from. */
export const BUILT_FROM = join(ROOT, 'dist', 'web', '.built-from')
/** An image has built screens and no sources of them. */
const SOURCES = ['package-lock.json', 'web', 'src/api/contract', 'src/domain']
const NO_SOURCE = /\.test\.tsx?$|^web[\\/](e2e|scripts)[\\/]|\.md$/

/** A digest of all that the screens are built from: their sources, and the versions of the packages. Times of files tell nothing after a copy. */
export function screensDigest() {
  const hash = createHash('sha256')
  for (const name of SOURCES.flatMap(filesOf).sort())
    if (!NO_SOURCE.test(name))
      hash
        .update(`${name}\0`)
        .update(readFileSync(join(ROOT, name)))
        .update('\0')
  return hash.digest('hex')
}

/** Builds the screens, in a process of its own, where they are missing or built from something else; ends this process where that fails. */
export async function buildScreensIfDue() {
  if (!existsSync(join(ROOT, 'web'))) return
  if (existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === screensDigest()) return
  const child = spawn(process.execPath, [join(ROOT, 'src', 'process', 'build-web.ts')], { stdio: 'inherit' })
  const end = () => {
    child.kill()
    process.exit(0)
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  const [code] = await once(child, 'exit')
  process.off('SIGTERM', end).off('SIGINT', end)
  if (code !== 0) process.exit(1)
}

/**
 * @param {string} path a file, or a folder with all below it
 */
function filesOf(path) {
  if (!path.includes('/') && path.includes('.')) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
}
