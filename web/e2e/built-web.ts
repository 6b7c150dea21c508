import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const web = fileURLToPath(new URL('..', import.meta.url))
const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
const BUILD_TIMEOUT_MS = 100_000

/** Builds the screens for production into a new folder, which `remove` deletes. */
export async function builtWeb(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'coinshop-web-'))
  const env = { ...process.env, NODE_ENV: 'production' }
  const args = [vite, 'build', web, '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  await promisify(execFile)(process.execPath, args, { env, timeout: BUILD_TIMEOUT_MS })
  return { folder, remove: async () => rm(folder, { recursive: true, force: true }) }
}
