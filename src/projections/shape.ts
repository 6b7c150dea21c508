import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const FOLDERS = ['.', '../domain'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
const CHARACTERS = 16
let code: string | undefined

/** Identifies the form of all views: a hash of the folding code and of the configuration. */
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
