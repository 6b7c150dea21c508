import { expect, it } from 'vitest'
import { logRemedies } from './remedies.ts'

it.each(Object.entries(logRemedies.eventstoredb))(
  'the remedy for a log in EventStoreDB names no SQLite file: %s',
  (_, remedy) => {
    expect(remedy).not.toMatch(/sqlite|row of/)
  },
)
