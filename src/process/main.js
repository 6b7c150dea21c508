import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

/* JavaScript as it is: where all else is found compiled, Node need not load its TypeScript compiler, which would stay in memory. */

/** Beside what it is made from, never where another user of the machine could put something that is then run. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/coinshop', import.meta.url))

const HELP = `npm start runs the shop: http://localhost:3000, sandbox payments, data in ./data.

All configuration is read from the environment; docs/configuration.md lists it. SIGTERM and SIGINT end it in order, within 10 s.
Exit codes: 0 stopped as asked, 1 could not start, or stopped before all had ended (a line says what), 2 wrong usage.
`

/** @type {(signal: string) => void} */
let end = () => process.exit(0)

const [word] = process.argv.slice(2)
if (word === '--help' || word === '-h') process.stdout.write(HELP)
else if (word === undefined) {
  // From now on, since loading the shop takes a moment, and by one listener: where that is replaced, a signal that waits is lost.
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => end(signal))
  // Compiled once, and kept for the next start where the folder can be written; by the variable in threads, too.
  const { directory } = nodeModule.enableCompileCache(COMPILED)
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= COMPILED
  // What the shop keeps is for its user alone.
  process.umask(0o077)
  const { open } = await import('./open.ts')
  await open((own) => (end = own))
} else {
  process.stderr.write(`unknown argument ${word} (the shop takes none; see --help)\n`)
  process.exit(2)
}
