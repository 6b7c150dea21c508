import { runOneOf } from './command-line.ts'
import { analytics } from './history/analytics.ts'
import { diff } from './history/diff.ts'
import { ended } from './history/ended.ts'
import { events } from './history/events.ts'
import { exporting } from './history/export.ts'
import { order } from './history/order.ts'
import { orders } from './history/orders.ts'
import { codes } from './history/reading.ts'
import { settings } from './history/settings.ts'
import { stock } from './history/stock.ts'

await runOneOf({
  name: 'history',
  does: 'answers any question about the past, from the log alone',
  commands: [analytics, orders, order, ended, stock, settings, diff, events, exporting],
  notes: `npm run history -- VERB --help says more of each. The shop may be running: the log is only read, but for the line that --reveal leaves. Answers go to stdout, progress to
stderr. Tables are for people, --json is for programs. docs/analysts.md has ten questions with their answers.

${codes}`,
})
