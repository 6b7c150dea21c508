import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Called by `npm start`: builds the screens if they are missing or older than their sources. */
const root = fileURLToPath(new URL('../../web', import.meta.url))
const built = fileURLToPath(new URL('../../dist/web/index.html', import.meta.url))
const sources = [root, ...['../api/contract', '../domain'].map((path) => fileURLToPath(new URL(path, import.meta.url)))]

if (existsSync(root) && (!existsSync(built) || newestMs(sources) > statSync(built).mtimeMs)) {
  process.stdout.write('Building the screens, once ...\n')
  await build({ root, logLevel: 'warn' })
}

function newestMs(folders: readonly string[]): number {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  )
  return Math.max(0, ...files)
}
