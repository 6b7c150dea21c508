import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Beside what it is made from, never where another user of the machine could put something that is then run. */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/coinshop', import.meta.url))

/**
 * What is imported from now on, here and in threads, is compiled once and kept for the next start. Where the folder cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  const { directory } = enableCompileCache(FOLDER)
  // Threads begin without it, but for this.
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= FOLDER
}
