import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const FOLDERS = ['.', '../domain'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
const CHARACTERS = 16
let code: string | undefined

/** What the documents of all views look like: the code that folds them, and the configuration that they depend on. */
export function shapeOf({ timeZone }: { timeZone: string }): string {
  code ??= hash('sha256', FOLDERS.flatMap(sourcesIn).join('\n'), 'hex')
  return hash('sha256', `${timeZone} ${code}`, 'hex').slice(0, CHARACTERS)
}

function sourcesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|[/\\])testing[/\\]/.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}
