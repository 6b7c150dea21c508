import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Finding } from './finding.ts'
import type { LogEnd } from './log-end.ts'

const LOOK = fileURLToPath(new URL('look-into-sqlite.ts', import.meta.url))
/** Larger files are not checked completely. */
export const CHECK_MS = 20_000
export const SQLITE_MS = CHECK_MS + 5_000

/** Reports on one of the shop's SQLite files. `synchronous` is the shop's setting, which SQLite does not store. */
export async function lookAtSqlite(
  file: string,
  { synchronous }: { synchronous: string },
): Promise<Omit<Finding, 'part'> & { end?: LogEnd }> {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (bytes === 0) return { facts: `SQLite, ${file}: not there yet, made at the first start` }
  const { lines, error, isLate } = await asked(LOOK, [file], CHECK_MS)
  const facts = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  )
  const {
    version,
    journal,
    check,
    head,
    recorded,
    sampled,
    changed,
    'known-head': knownHead,
  } = facts as Record<string, string | undefined>
  const end = { head: numberIn(head), recordedMs: numberIn(recorded), knownHead: numberIn(knownHead) }
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const known = `SQLite ${version ?? '(version not told)'}, ${file} (${size}): journal_mode ${journal ?? 'not told'}, synchronous ${synchronous}`
  if (error !== undefined && !isLate)
    return {
      facts: `${known}, cannot be read (${error})`,
      must: 'stop the shop, keep the file, see docs/operations.md',
    }
  const checked = isLate ? `quick_check not finished in ${CHECK_MS / 1_000} s` : `quick_check ${check ?? 'not told'}`
  const events = sampled === undefined ? '' : `, ${sampled} events as they were written`
  if (changed !== undefined)
    return {
      facts: `${known}, ${checked}, the event at position ${changed} is not what was written`,
      end,
      must: 'npm run verify names all that are; stop the shop, keep the file, put its newest copy back (docs/operations.md)',
    }
  return {
    facts: `${known}, ${checked}${events}`,
    end,
    must: mustOf({ check: isLate ? 'ok' : check, journal }),
    note: isLate ? 'npm run verify checks all of it' : undefined,
  }
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function mustOf({ check, journal }: { check: string | undefined; journal: string | undefined }): string | undefined {
  if (check !== 'ok')
    return 'it is damaged: stop the shop, keep the file, put its newest copy back (docs/operations.md)'
  return journal === 'wal' ? undefined : 'the journal_mode was changed: start the shop once, which sets it to wal'
}

/** What is wrong with the pages and indexes of one of the shop's SQLite files, all of them read; empty for a sound one. */
export async function wrongInSqlite(file: string): Promise<string[]> {
  const { lines, error } = await asked(LOOK, [file, 'whole'], 0)
  const found = lines.map((line) => line.slice(line.indexOf(' ') + 1)).filter((line) => line !== 'ok')
  return error === undefined ? found : [...found, error]
}

/** Asks a script in a process of its own, which is killed where it takes too long. */
export async function asked(
  script: string,
  words: readonly string[],
  timeout: number,
): Promise<{ lines: string[]; error: string | undefined; isLate: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...words], { timeout, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter(Boolean)
      const said = stderr.split('\n').find((line) => /^\w*Error: /.test(line))
      resolve({
        lines,
        error: error ? (said ?? error.message.split('\n')[0]) : undefined,
        isLate: error?.killed === true,
      })
    })
  })
}
