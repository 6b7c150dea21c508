import type { CommandSet } from '../command-line.ts'
import { analytics } from './analytics.ts'
import { diff } from './diff.ts'
import { ended } from './ended.ts'
import { events } from './events.ts'
import { exporting } from './export.ts'
import { order } from './order.ts'
import { orders } from './orders.ts'
import { codes } from './reading.ts'
import { settings } from './settings.ts'
import { stock } from './stock.ts'

export const history: CommandSet = {
  name: 'history',
  does: 'answers any question about the past, from the log alone',
  commands: [analytics, orders, order, ended, stock, settings, diff, events, exporting],
  notes: `npm run history -- VERB --help says more of each. The shop may be running: the log is only read, but for the line that --reveal leaves. Answers go to stdout, progress to
stderr. Tables are for people, --json is for programs. docs/analysts.md has ten questions with their answers.

${codes}`,
}
