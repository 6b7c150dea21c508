import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('questions/', import.meta.url)
const ENDING = '.sql'

export interface Question {
  readonly name: string
  readonly says: string
  readonly sql: string
}

/** The shop's own questions: each `questions/NAME.sql` starts with a comment that describes it. */
export function questions(): Question[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .toSorted()
    .map((file) => {
      const sql = readFileSync(new URL(file, FOLDER), 'utf8')
      return { name: file.slice(0, -ENDING.length), says: /^-- (.*)/.exec(sql)?.[1] ?? '', sql }
    })
}
