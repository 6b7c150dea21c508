import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newFolder, removeFolder } from './folders.ts'
import type { Options } from './options.ts'
import {
  type MeasuredShop,
  measuredShop,
  microsecondsFor,
  microsecondsOf,
  requestNames,
  warmUp,
} from './per-request.ts'
import { startHelloWorld } from './processes.ts'
import { shown, table } from './report.ts'
import { median } from './statistics.ts'

const run = promisify(execFile)

/** What a shell says of a failure, with room for what npm says before. */
const OUTPUT_BYTES_MAX = 16_777_216

/** A checkout of an earlier commit, with its packages, in a folder that is removed with the bench. */
interface Base {
  readonly commit: string
  readonly root: string
}

/** This checkout and earlier commits side by side, all on the Node that the first commit's lock file brings: processor time per request. */
export async function besideBases(
  root: string,
  { bases, rounds }: Pick<Options, 'rounds'> & { readonly bases: readonly string[] },
  say: (text: string) => void,
): Promise<string> {
  const checkouts: Base[] = []
  for (const commit of bases) checkouts.push(await checkedOut(root, commit, say))
  const node = nodeOf(checkouts[0]?.root ?? root)
  const { stdout: version } = await run(node, ['--version'])
  const hello = await startHelloWorld(node)
  const shops: MeasuredShop[] = []
  try {
    for (const side of [...checkouts, { root }]) shops.push(await measuredShop(side.root, await newFolder(), node))
    say('warming up')
    await warmUp(hello, shops)
    const measured: Round[] = []
    for (let index = 0; index < rounds; index += 1) {
      say(`round ${index + 1} of ${rounds}`)
      measured.push(await measureRound(hello, shops, index))
    }
    return `Node ${version.trim()}, ${rounds} rounds\n\n${tableOf(bases, measured)}`
  } finally {
    hello.stop()
    for (const shop of shops) await shop.stop()
    for (const checkout of checkouts) await removeFolder(checkout.root)
  }
}

interface Round {
  readonly hello: number
  /** For each request the microseconds of each shop. */
  readonly requests: ReadonlyMap<string, readonly number[]>
}

/** Each shop after the other before the next request, so that what the machine does meanwhile meets all of them. */
async function measureRound(
  hello: { url: string; pid: number },
  shops: readonly MeasuredShop[],
  index: number,
): Promise<Round> {
  const requests = new Map<string, number[]>()
  for (const name of requestNames) {
    const each: number[] = []
    // The other one goes first in the next round.
    const inTurn = index % 2 === 0 ? [...shops.entries()] : [...shops.entries()].toReversed()
    for (const [at, shop] of inTurn) each[at] = await microsecondsFor(shop, name)
    requests.set(name, each)
  }
  return { hello: await microsecondsOf(hello, ''), requests }
}

function tableOf(bases: readonly string[], rounds: readonly Round[]): string {
  const names = [...bases, 'this']
  const rows = requestNames.map((name) => {
    const each = rounds.map(({ hello, requests }) => ({ hello, taken: requests.get(name) ?? [] }))
    return [
      name,
      ...names.map((_, at) => shown(median(each.map(({ taken }) => taken[at] ?? Number.NaN)))),
      // Of each round its own quotient.
      ...bases.map((_, at) => median(each.map((one) => own(one.taken) / (one.taken[at] ?? Number.NaN))).toFixed(2)),
      median(each.map((one) => own(one.taken) / one.hello)).toFixed(2),
    ]
  })
  const hello = ['hello', ...names.map(() => ''), ...bases.map(() => ''), shown(median(rounds.map((one) => one.hello)))]
  const titles = ['request', ...names.map((name) => `${name}, us`), ...bases.map((base) => `this : ${base}`)]
  return table([...titles, 'this : hello'], [...rows, hello])
}

function own(taken: readonly number[]): number {
  return taken.at(-1) ?? Number.NaN
}

/** Throws one line that says what failed. */
async function checkedOut(from: string, commit: string, say: (text: string) => void): Promise<Base> {
  const root = await newFolder()
  say(`${commit}: cloning, and npm ci (about a minute)`)
  await step(`git cannot clone this checkout`, 'git', ['clone', '-q', '--no-checkout', '--shared', from, root])
  await step(`this checkout has no commit ${commit}`, 'git', ['-C', root, 'checkout', '-q', '--detach', commit])
  await step(`npm ci of ${commit} failed`, 'npm', ['ci', '--no-audit', '--no-fund'], root)
  return { commit, root }
}

async function step(what: string, program: string, words: readonly string[], cwd?: string): Promise<void> {
  try {
    await run(program, words, { maxBuffer: OUTPUT_BYTES_MAX, ...(cwd !== undefined && { cwd }) })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const line = said.split('\n').findLast((one) => one.trim() !== '') ?? 'it gives no reason'
    throw new Error(`--base: ${what}: ${line.trim()}`, { cause: error })
  }
}

function nodeOf(root: string): string {
  const path = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(path) ? path : process.execPath
}
