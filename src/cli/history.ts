import { constants, setPriority } from 'node:os'
import { questions } from '../history/questions.ts'
import { flag, ofAnyOptions, runOneOf, text } from './command-line.ts'
import { askHistory } from './history/ask-history.ts'
import { exportHistory } from './history/export-history.ts'

// A shop that sells on this machine comes first.
setPriority(constants.priority.PRIORITY_LOW)

const exporting = ofAnyOptions({
  name: 'history export',
  does: 'writes orders, payments and events into a new private SQLite file',
  operands: ['FILE'],
  options: {
    'as-of': text('T', 'as it was then: a day (2026-01-31), a moment (2026-01-31T18:00:00Z) or a position'),
    reveal: flag('names the buyers; needs the vault, and the log of the shop notes it'),
  },
  notes: `The shop may be running. The file has its final name once it is whole; SELECT sql FROM sqlite_schema says what each column means.

Exit codes: 0 done, 1 failed, 2 wrong usage or no shop.`,
  run: async ({ 'as-of': asOf, reveal }, [file = '']) => exportHistory(file, { asOf, reveal }),
})

const sql = ofAnyOptions({
  name: 'history sql',
  does: 'asks such a file: one of the questions below, or any query',
  operands: ['FILE', 'NAME|QUERY'],
  options: { csv: flag('CSV in place of a table; text that looks like a formula begins with an apostrophe') },
  notes: `The file is only read.

${questions()
  .map(({ name, says }) => `  ${name.padEnd(18)} ${says}`)
  .join('\n')}

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  run: async ({ csv }, [file = '', asked = '']) => askHistory(file, asked, { csv }),
})

await runOneOf({
  name: 'history',
  does: 'answers questions about the past: one SQLite file, and SQL',
  commands: [exporting, sql],
  notes: `npm run history -- VERB --help says more of each. docs/analysts.md has examples.

Exit codes: 0 done, 1 failed, 2 wrong usage or no shop.`,
})
