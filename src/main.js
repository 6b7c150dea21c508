import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { tooOld } from './node-version.js'

/*
 * JavaScript as it is, alone in the shop: a Node that is too old can read it and say so, and where all else is found compiled, Node need not load its
 * TypeScript compiler, which would stay in memory.
 */

/** Beside what it is made from, never where another user of the machine could put something that is then run. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/coinshop', import.meta.url))

const HELP = `npm start runs the shop: http://localhost:3000, sandbox payments, data in ./data.

All configuration is read from the environment; docs/configuration.md lists it. SIGTERM and SIGINT end it in order, within 10 s.
Exit codes: 0 stopped as asked, 1 could not start, or stopped before all had ended (a line says what), 2 wrong usage.`

const reason = tooOld()

if (process.argv.includes('--help') || process.argv.includes('-h')) process.stdout.write(`${HELP}\n`)
else if (process.argv.length > 2) fail(`unknown argument ${process.argv[2]} (the shop takes none; see --help)`, 2)
else if (reason !== undefined) fail(`${reason}: start it by "npm start", which finds one`, 1)
else await main()

async function main() {
  keepCompiledCode()
  // Everything else is imported afterwards, so that it is found compiled.
  const { open } = await import('./open.ts')
  await open()
}

/**
 * What is imported from now on, here and in threads, is compiled once and kept for the next start. Where the folder cannot be written, nothing is kept.
 */
function keepCompiledCode() {
  const { directory } = nodeModule.enableCompileCache(COMPILED)
  // Threads begin without it, but for this.
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= COMPILED
}

/**
 * @param {string} text
 * @param {number} code
 */
function fail(text, code) {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}
