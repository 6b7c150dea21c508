import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** `npm start` calls this: the screens are built once, and again by `npm run build:web`. */
const root = fileURLToPath(new URL('../../web', import.meta.url))
const built = fileURLToPath(new URL('../../dist/web/index.html', import.meta.url))

if (existsSync(root) && !existsSync(built)) {
  process.stdout.write('Building the screens, once ...\n')
  await build({ root, logLevel: 'warn' })
}
