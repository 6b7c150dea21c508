import { buildScreensIfDue } from './screens.js'

/* `npm start`: runs the shop, with screens built from this checkout. */

if (process.argv.length === 2) await buildScreensIfDue()
await import('./main.js')
