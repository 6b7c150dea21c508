import { buildScreensIfDue } from './screens.js'

/* `npm start`: the shop, with screens that are built from what is in this checkout. */

if (process.argv.length === 2) await buildScreensIfDue()
await import('./main.js')
