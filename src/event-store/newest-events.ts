import type { Position, StoredEvent } from './event-store.ts'
import { positionOf } from './limits.ts'

/** Whoever follows the log comes after each commit or two. */
const COMMITS_KEPT_MAX = 4

interface Commit {
  /** How many events the log had before. */
  readonly past: number
  readonly events: readonly StoredEvent[]
}

/**
 * The end of the log as this connection wrote it, so that those who follow the log in this process need not read it back. It answers only for the
 * `version` of the file that it was written to: another connection's write changes that.
 */
export interface NewestEvents {
  add(commit: Commit, version: unknown): void
  /** As the log would answer; undefined where it has to be asked. */
  after(count: number, limit: number, version: unknown): StoredEvent[] | undefined
  head(version: unknown): Position | undefined
  forget(): void
}

export function newestEvents(): NewestEvents {
  let commits: readonly Commit[] = []
  let writtenTo: unknown

  const end = (): number | undefined => {
    const last = commits.at(-1)
    return last && last.past + last.events.length
  }

  return {
    add(commit, version) {
      const isNext = version === writtenTo && commit.past === end()
      commits = isNext ? [...commits, commit].slice(-COMMITS_KEPT_MAX) : [commit]
      writtenTo = version
    },
    after(count, limit, version) {
      const [first] = commits
      if (version !== writtenTo || first === undefined || count < first.past) return undefined
      return commits.flatMap(({ past, events }) => events.slice(Math.max(count - past, 0))).slice(0, limit)
    },
    head(version) {
      const count = end()
      return version === writtenTo && count !== undefined ? positionOf(count) : undefined
    },
    forget() {
      commits = []
    },
  }
}
