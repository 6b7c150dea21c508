import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { k6Program } from '../k6.ts'

const VERSION = 'v1.8.1'
const INSTALLED_MS = 600_000

/** On a machine of CI that has Go it is installed for the test; undefined where there is none. */
export function k6ForTests(): string | undefined {
  return k6Program() ?? (process.env['CI'] === undefined ? undefined : installed())
}

function installed(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-k6-'))
  try {
    const env = { ...process.env, GOBIN: folder }
    execFileSync('go', ['install', `go.k6.io/k6@${VERSION}`], { env, stdio: 'ignore', timeout: INSTALLED_MS })
    return join(folder, 'k6')
  } catch {
    return undefined
  }
}
