import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* Plain JavaScript, so that a start loads no TypeScript compiler for it. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The digest of the sources, stored with the built screens. */
export const BUILT_FROM = join(ROOT, 'dist', 'web', '.built-from')
/** An image has built screens without these. */
const SOURCES = ['package-lock.json', 'web', 'src/api/contract', 'src/domain']
const NO_SOURCE = /\.test\.tsx?$|^web[\\/](e2e|scripts)[\\/]|\.md$/

/** A digest of the screens' sources and of the package versions. File times mean nothing after a copy. */
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

/** Builds the screens in a child process if they are missing or outdated; ends this process on failure. */
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
 * @param {string} path a file, or a folder with its subfolders
 */
function filesOf(path) {
  if (!path.includes('/') && path.includes('.')) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
}
