import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tooOldFor } from './node-version.js'

/* `node src/run.js FILE …` runs a script of this project, a path from the root of the checkout, where this Node can read it. */

const [file = '', ...words] = process.argv.slice(2)
const script = process.env['npm_lifecycle_event'] ?? basename(file, '.ts')
const reason = tooOldFor(script === 'prestart' ? 'npm start' : `npm run ${script}`)

if (reason === undefined) {
  const url = new URL(file, new URL('..', import.meta.url))
  process.argv = [process.execPath, fileURLToPath(url), ...words]
  await import(url.href)
} else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
