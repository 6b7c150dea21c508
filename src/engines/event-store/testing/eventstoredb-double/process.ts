import { eventstoredbDouble } from '../eventstoredb-double.ts'

// `node process.ts <file> [port]`: the double with its events in that file; prints its address.
const [file = '', port = '0'] = process.argv.slice(2)
if (file === '') throw new TypeError('name the file of the events')
/** Between taking an append and showing it, as a server's disk makes it. */
const SYNC_MS = 3
const double = await eventstoredbDouble({ file, port: Number(port), syncMs: SYNC_MS })
process.stdout.write(`${double.url}\n`)
process.once('SIGTERM', () => void double.stop().then(() => process.exit(0)))
