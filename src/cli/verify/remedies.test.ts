import { expect, it } from 'vitest'
import { logRemedies } from './remedies.ts'

it.each(Object.entries(logRemedies.eventstoredb))(
  'names no file of SQLite for a log in EventStoreDB: %s',
  (_, remedy) => {
    expect(remedy).not.toMatch(/sqlite|row of/)
  },
)
