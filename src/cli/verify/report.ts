import { oneLine } from '../../ports/one-line.ts'
import { findingLine } from '../doctor/finding.ts'
import type { Progress } from '../progress.ts'

/** Writes the first problems of each part, one a line, then their number. */
export interface Report extends Pick<Progress, 'show'> {
  /** `must` says what to do. */
  wrong(part: string, facts: string, must: string): void
  /** The part was not checked. */
  notChecked(part: string, facts: string, todo: string): void
  /** The part has been read to its end. */
  ended(part: string, facts: string): void
  /** The number of problems, of one part or all. */
  count(part?: string): number
}

const NAMED_MAX = 20

export function reportOn(write: (line: string) => void, progress: Progress): Report {
  const counts = new Map<string, number>()
  const say = (line: string): void => {
    progress.clear()
    write(line)
  }
  return {
    show: progress.show,
    wrong(part, facts, must) {
      const count = (counts.get(part) ?? 0) + 1
      counts.set(part, count)
      if (count <= NAMED_MAX) say(findingLine({ part, facts, must }))
    },
    notChecked: (part, facts, todo) => say(findingLine({ part, facts, note: todo })),
    ended(part, facts) {
      const count = counts.get(part) ?? 0
      if (count === 0) say(findingLine({ part, facts }))
      else if (count > NAMED_MAX)
        say(findingLine({ part, facts: `and ${count - NAMED_MAX} more: ${count}`, must: 'as above' }))
    },
    count: (part) =>
      part === undefined ? counts.values().reduce((sum, count) => sum + count, 0) : (counts.get(part) ?? 0),
  }
}

/** An engine's message without its advice, since the report gives its own. */
export function causeOf(error: unknown): string {
  return oneLine(error).replace(/[.:;] (?:stop the shop|put ).*$/i, '')
}
