/** Where the time of a thread goes, in the order in which an order meets it. */
export const steps = [
  'HTTP: sockets, parsing, answering (Node)',
  'routing, body, headers (Express)',
  'door: checks, contract, answer (src/api)',
  'commands: price, decide, fold (src/commands, src/domain)',
  'vault: customer and key (src/vault)',
  'sealing (AES-256-GCM)',
  'log: validate and encode events',
  'log: write, commit, sync (SQLite)',
  'log: read back and decode',
  'following the log: hot states, push',
  'views: fold and write (src/projections, src/view-store)',
  'workers: sweeps and jobs (src/workers, src/job-queue)',
  'collecting garbage',
  'other JavaScript',
  'Node and kernel, outside JavaScript',
] as const
export type Step = (typeof steps)[number]

/** A function that was on the stack; innermost first in a list. */
export interface Frame {
  readonly functionName: string
  readonly url: string
}

const [
  http,
  express,
  door,
  commands,
  vault,
  sealing,
  encoding,
  writing,
  reading,
  following,
  views,
  workers,
  garbage,
  other,
  native,
] = steps

/** What `(idle)` is not: time in which a thread was at work. Undefined while it waited. */
export function stepOf(stack: readonly Frame[]): Step | undefined {
  const innermost = stack[0]?.functionName
  if (innermost === '(idle)') return undefined
  if (innermost === '(garbage collector)') return garbage
  if (innermost === '(program)' || innermost === '(root)') return native
  const files = stack.flatMap(({ url, functionName }) => {
    const file = ownFile(url)
    return file === undefined ? [] : [{ file, functionName }]
  })
  const isAskedBy = (folders: RegExp): boolean => files.some(({ file }) => folders.test(file))
  if (isAskedBy(/^(workers|job-queue)\//)) return workers
  if (isAskedBy(/^(projections\/|view-store\/|projector)/)) return views
  if (isAskedBy(/^shop\/hot\/follower/)) return following
  const place = stack.find(({ url }) => isTelling(url))
  if (!place) return stack.some(({ url }) => url !== '') ? http : native
  const file = ownFile(place.url)
  return file === undefined ? express : stepOfFile(file, files)
}

function stepOfFile(file: string, stack: readonly { file: string; functionName: string }[]): Step {
  if (file.startsWith('api/')) return door
  if (/^(commands|shop)\//.test(file) || file.startsWith('domain/')) return commands
  if (file.startsWith('vault/')) return vault
  if (file === 'event-store/sealing.ts') return sealing
  if (stack.some(({ functionName }) => readers.has(functionName))) return reading
  if (/^event-store\/(event-codec|event-log|limits)/.test(file)) return encoding
  if (file.startsWith('event-store/')) return writing
  return other
}

const readers = new Set(['readAll', 'readAllStored', 'readStream', 'decode', 'allPage', 'streamPage', 'eventOf'])

/** A file of the shop, as it stands in `src/`. */
function ownFile(url: string): string | undefined {
  if (url.includes('/node_modules/')) return undefined
  return /\/src\/(.+\.ts)$/.exec(url)?.[1]
}

/** Libraries that work for whoever calls them tell nothing; the shop's own files do, and the web framework does. */
function isTelling(url: string): boolean {
  return (
    ownFile(url) !== undefined ||
    /\/node_modules\/(express|router|body-parser|raw-body|send|finalhandler|on-finished|content-type|type-is)\//.test(
      url,
    )
  )
}
