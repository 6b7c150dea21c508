import { constants } from 'node:os'
import { debuglog, parseArgs } from 'node:util'
import { closest } from 'fastest-levenshtein'
import { ConfigError } from '../config.ts'
import { NoShop } from '../engines.ts'

/** A wrong command line, in one line. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

interface Flag {
  readonly does: string
}

interface Valued<Value> extends Flag {
  /** Stands for the value in the help. */
  readonly takes: string
  /** Throws `UsageError`. */
  readonly read: (given: string, name: string) => Value
}

type Options = Readonly<Record<string, Flag | Valued<unknown>>>
export type Values<Given extends Options> = {
  readonly [Name in keyof Given]: (Given[Name] extends Valued<infer Value> ? Value : true) | undefined
}

/** A script of this project, as its help tells of it. */
export interface Command<Given extends Options> {
  /** As in `npm run NAME`. */
  readonly name: string
  readonly does: string
  readonly options?: Given
  /** What it takes beside its options, all of it; may depend on the words that are given. Throws `UsageError`. */
  readonly operands?: readonly string[] | ((given: readonly string[]) => readonly string[])
  /** The end of its help: what a user has to know, and the exit codes. */
  readonly notes: string
  /** Answers the exit code. */
  readonly run: (values: Values<Given>, operands: readonly string[]) => Promise<number>
}

export interface Verb<Given extends Options = Options> extends Flag {
  readonly operands?: readonly string[]
  readonly run: (operands: readonly string[], values: Values<Given>) => Promise<number>
}

export function oneOf<const Value extends string>(
  takes: string,
  does: string,
  values: readonly Value[],
): Valued<Value> {
  return {
    takes,
    does: `${does}: ${values.join(', ')}`,
    read(given, name) {
      const value = values.find((one) => one === given)
      if (value !== undefined) return value
      throw new UsageError(`--${name} takes ${values.join(', ')}, not '${given}'`)
    },
  }
}

export function flag(does: string): Flag {
  return { does }
}

export function text(takes: string, does: string): Valued<string> {
  return { takes, does, read: (given) => given }
}

export function wholeNumber(takes: string, does: string, { min, max }: { min: number; max: number }): Valued<number> {
  return {
    takes,
    does,
    read(given, name) {
      const number = Number(given)
      if (/^\d+$/.test(given) && number >= min && number <= max) return number
      throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not '${given}'`)
    },
  }
}

/** A command that is several, each named by a verb. */
export function commandOfVerbs<Given extends Options>({
  verbs,
  notes,
  ...command
}: Pick<Command<Given>, 'name' | 'does' | 'notes' | 'options'> & {
  verbs: Readonly<Record<string, Verb<Given>>>
}): Command<Given> {
  const names = Object.keys(verbs)

  function verbOf(given: string): Verb<Given> {
    const verb = Object.hasOwn(verbs, given) ? verbs[given] : undefined
    if (verb) return verb
    throw new UsageError(`no verb '${given}', the nearest is '${closest(given, names)}': ${names.join(', ')}`)
  }

  return {
    ...command,
    operands: ([given]) => ['VERB', ...(given === undefined ? [] : (verbOf(given).operands ?? []))],
    notes: `${table(Object.entries(verbs).map(([verb, { does, operands = [] }]) => [[verb, ...operands].join(' '), does]))}\n\n${notes}`,
    run: async (values, [given = '', ...operands]) => verbOf(given).run(operands, values),
  }
}

/** What the words say; undefined where they ask for help. Throws `UsageError`. */
export function parsed<Given extends Options>(
  { options, operands = [] }: Pick<Command<Given>, 'options' | 'operands'>,
  words: readonly string[],
): { values: Values<Given>; operands: readonly string[] } | undefined {
  assertValues(options ?? {}, words)
  const { values, positionals } = asGiven(options ?? {}, words)
  if (values['help'] === true) return undefined
  const wanted = operandsOf(operands, positionals)
  const extra = positionals[wanted.length]
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'`)
  const missing = wanted[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  const read = Object.entries(options ?? {}).map(([name, option]) => {
    const given = values[name]
    if (given === '') throw new UsageError(`--${name} takes a value`)
    return [name, 'read' in option && typeof given === 'string' ? option.read(given, name) : given]
  })
  return { values: Object.fromEntries(read) as Values<Given>, operands: positionals }
}

function operandsOf(operands: NonNullable<Command<Options>['operands']>, given: readonly string[]): readonly string[] {
  return typeof operands === 'function' ? operands(given) : operands
}

/** `parseArgs` would call it ambiguous. Throws `UsageError` where an option's value is missing, or could be another option. */
function assertValues(options: Options, words: readonly string[]): void {
  for (const [at, word] of words.entries()) {
    if (word === '--') return
    const name = word.slice('--'.length)
    const option = options[name]
    if (!word.startsWith('--') || !Object.hasOwn(options, name) || !option || !('takes' in option)) continue
    const given = words[at + 1]
    const takes = `--${name} takes ${option.takes} (${option.does})`
    if (given === undefined) throw new UsageError(takes)
    if (/^-./.test(given)) throw new UsageError(`${takes}, not '${given}'`)
  }
}

function asGiven(options: Options, words: readonly string[]) {
  const own = Object.entries(options).map(([name, option]) => [
    name,
    { type: 'read' in option ? ('string' as const) : ('boolean' as const) },
  ])
  const help = { type: 'boolean', short: 'h' } as const
  try {
    return parseArgs({
      args: [...words],
      options: { ...Object.fromEntries(own), help } as Record<string, { type: 'string' | 'boolean' }>,
      allowPositionals: true,
    })
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/)
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1), { cause: error })
  }
}

export function helpOf({ name, does, options = {}, operands = [], notes }: Command<Options>): string {
  const rows = Object.entries(options).map(([option, { does, ...given }]) => [
    'takes' in given ? `--${option} ${given.takes}` : `--${option}`,
    does,
  ])
  const usage = [startOf(name), ...operandsOf(operands, []), ...(rows.length > 0 ? ['[options]'] : [])].join(' ')
  return [`${usage.replace(/ --$/, '')}   ${does}`, ...(rows.length > 0 ? [table(rows)] : []), notes].join('\n\n')
}

/** The words before its own: `npm run history -- orders`. */
function startOf(name: string): string {
  const [script, ...verb] = name.split(' ')
  return [`npm run ${script} --`, ...verb].join(' ')
}

function table(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}   ${right}`).join('\n')
}

/** Runs a command for whoever typed it: what is wrong is one line on stderr, and the exit code says whose fault it is. */
export async function runCommand<Given extends Options>(command: Command<Given>): Promise<void> {
  endQuietly(command.name)
  process.exitCode = await exitCodeOf(command, process.argv.slice(2))
}

/** For a list of commands with options of different kinds. */
export function ofAnyOptions<Given extends Options>(command: Command<Given>): Command<Options> {
  return command as unknown as Command<Options>
}

/** Commands of one name, each with a verb, options and a help of its own: `history orders`. */
export interface CommandSet extends Pick<Command<Options>, 'name' | 'does' | 'notes'> {
  readonly commands: readonly Command<Options>[]
}

export async function runOneOf(set: CommandSet): Promise<void> {
  endQuietly(set.name)
  process.exitCode = await exitCodeOfOne(set, process.argv.slice(2))
}

/** Runs the command that the first word names. */
export async function exitCodeOfOne(
  { name, does, commands, notes }: CommandSet,
  words: readonly string[],
): Promise<number> {
  const nameOf = (command: Command<Options>): string => command.name.slice(name.length + 1)
  const command = commands.find((one) => nameOf(one) === words[0])
  if (command) return exitCodeOf(command, words.slice(1))
  const overview: Command<Options> = {
    name,
    does,
    operands: ([given]) => {
      const verbs = commands.map(nameOf)
      if (given === undefined) return ['VERB']
      throw new UsageError(`no verb '${given}', the nearest is '${closest(given, verbs)}': ${verbs.join(', ')}`)
    },
    notes: `${table(commands.map((one) => [nameOf(one), one.does]))}\n\n${notes}`,
    run: async () => 0,
  }
  return exitCodeOf(overview, words)
}

async function exitCodeOf<Given extends Options>(command: Command<Given>, words: readonly string[]): Promise<number> {
  try {
    const asked = parsed(command, words)
    if (asked) return await command.run(asked.values, asked.operands)
    process.stdout.write(`${helpOf(ofAnyOptions(command))}\n`)
    return 0
  } catch (error) {
    return said(command.name, error)
  }
}

/** As shells count: 130 for Ctrl-C. */
const SIGNALLED = 128

function endQuietly(name: string): void {
  // `| head` has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  process.stderr.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(SIGNALLED + constants.signals[signal]))
  process.on('uncaughtException', (error) => process.exit(said(name, error)))
}

/** Says what is wrong; answers the exit code. */
function said(name: string, error: unknown): number {
  debuglog('coinshop')('%s', error instanceof Error ? error.stack : error)
  process.stderr.write(`${lineOf(name, error)}\n`)
  return error instanceof UsageError || error instanceof NoShop ? 2 : 1
}

function lineOf(name: string, error: unknown): string {
  if (error instanceof UsageError) return `${oneLine(error)} (see ${startOf(name)} --help)`
  return error instanceof ConfigError ? `configuration: ${oneLine(error)}` : oneLine(error)
}

/** The message of an error, without passwords of addresses. */
export function oneLine(error: unknown): string {
  const message =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return message
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\/\/[^/@\s]*@/g, '//')
}
