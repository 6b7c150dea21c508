import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

/* Plain JavaScript: if all other files are in the compile cache, Node need not load its TypeScript compiler, which stays in memory. */

/** Next to its sources, never where another user of the machine could put code that is then run. */
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
  // Before loading the shop, which takes a moment. The listener is never replaced: a pending signal would be lost.
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => end(signal))
  // Caches compiled code for the next start if the folder is writable; the variable enables this in threads.
  const { directory } = nodeModule.enableCompileCache(COMPILED)
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= COMPILED
  // The shop's files are for its user alone.
  process.umask(0o077)
  const { runUntilSignal } = await import('./run-until-signal.ts')
  await runUntilSignal((own) => (end = own))
} else {
  process.stderr.write(`unknown argument ${word} (the shop takes none; see --help)\n`)
  process.exit(2)
}
