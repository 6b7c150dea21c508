import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { testFolder } from '../ports/testing/test-folder.ts'

export interface CrashPoint<Noted> {
  /** Where the file lies as it stood then, beside its write-ahead log. */
  readonly file: string
  /** What `note` said at that moment. */
  readonly noted: Noted
}

interface Files {
  readonly main: Buffer
  readonly log: Buffer
}

/**
 * What a process leaves behind that dies between any two statements, or in the middle of a commit: copies of SQLite's files, taken around each statement
 * that runs while `work` does, and in between with a part of what was added to the write-ahead log. Where the files stayed as they were, the latest note counts.
 */
export async function crashPoints<Noted>(
  file: string,
  note: () => Noted,
  work: () => Promise<void>,
): Promise<CrashPoint<Noted>[]> {
  const folder = testFolder()
  const points = new Map<string, CrashPoint<Noted>>()
  let last: Files = { main: Buffer.alloc(0), log: Buffer.alloc(0) }

  function keep({ main, log }: Files): void {
    const content = `${hash('sha256', main)} ${hash('sha256', log)}`
    const known = points.get(content)
    const place = known?.file ?? join(folder, String(points.size), basename(file))
    if (!known) {
      mkdirSync(join(place, '..'))
      writeFileSync(place, main)
      writeFileSync(`${place}-wal`, log)
    }
    points.set(content, { file: place, noted: note() })
  }

  function take(): void {
    if (!statSync(file, { throwIfNoEntry: false })) return
    const now = { main: readFileSync(file), log: bytesOf(`${file}-wal`) }
    const added = now.log.length - last.log.length
    if (added > 0 && now.main.equals(last.main) && now.log.subarray(0, last.log.length).equals(last.log))
      for (const part of [1 / 3, 2 / 3]) keep({ ...now, log: now.log.subarray(0, last.log.length + added * part) })
    keep(now)
    last = now
  }

  const stop = aroundEachStatement(take)
  try {
    await work()
    take()
  } finally {
    stop()
  }
  return [...points.values()]
}

/** Calls `hook` before and after everything that SQLite does in this process; answers how to end that. */
function aroundEachStatement(hook: () => void): () => void {
  const restore: (() => void)[] = []
  const around = (prototype: object, name: string): void => {
    const original = Reflect.get(prototype, name) as (...given: unknown[]) => unknown
    Reflect.set(prototype, name, function (this: unknown, ...given: unknown[]): unknown {
      hook()
      const result = original.apply(this, given)
      hook()
      return result
    })
    restore.push(() => Reflect.set(prototype, name, original))
  }
  around(DatabaseSync.prototype, 'exec')
  for (const name of ['run', 'get', 'all']) around(StatementSync.prototype, name)
  return () => {
    for (const undo of restore) undo()
  }
}

function bytesOf(file: string): Buffer {
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file) : Buffer.alloc(0)
}
