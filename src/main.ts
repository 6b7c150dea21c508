import { keepCompiledCode } from './compile-cache.ts'

const NODE_MAJOR_MIN = 26

const HELP = `npm start runs the shop: http://localhost:3000, sandbox payments, data in ./data.

All configuration is read from the environment; README.md lists it. SIGTERM and SIGINT end it in order.
Exit codes: 0 stopped as asked, 1 could not start, 2 wrong usage.`

if (process.argv.includes('--help')) process.stdout.write(`${HELP}\n`)
else if (process.argv.length > 2) fail(`unknown argument ${process.argv[2]} (the shop takes none; see --help)`, 2)
else if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN)
  fail(
    `the shop needs Node ${NODE_MAJOR_MIN} and this is ${process.version}: run "npm ci" (it brings one), then "npm start"`,
    1,
  )
else await main()

async function main(): Promise<void> {
  // Everything else is imported afterwards, so that it is found compiled.
  keepCompiledCode()
  const { open } = await import('./open.ts')
  await open()
}

function fail(text: string, code: number): void {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}
