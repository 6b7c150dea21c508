import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What each version of a stored form makes of each sample. Lines are only added: a form that stores something else gets a new version. */
const FILE = new URL('stored-shapes.txt', import.meta.url)
const HASH_CHARACTERS = 16

/**
 * Compares what a version (`stock-snapshot@2`) stores of samples with the lines of that version. Answers the lines that are missing, and those that are not true
 * any more, which is mended by a new version and never by another line.
 */
export function shapesOf(
  version: string,
  samples: ReadonlyMap<string, unknown>,
): { readonly toAdd: string[]; readonly changed: string[] } {
  const known = new Map(linesOf(version).map((line) => [line.slice(0, line.lastIndexOf(' ')), line]))
  const toAdd: string[] = []
  const changed: string[] = []
  for (const [sample, stored] of samples) {
    const name = `${version} ${sample}`
    const line = `${name} ${hash('sha256', JSON.stringify(stored) ?? '', 'hex').slice(0, HASH_CHARACTERS)}`
    if (!known.has(name)) toAdd.push(line)
    else if (known.get(name) !== line) changed.push(line)
    known.delete(name)
  }
  return { toAdd, changed: [...changed, ...known.values()] }
}

function linesOf(version: string): string[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  return lines.filter((line) => line.startsWith(`${version} `))
}
