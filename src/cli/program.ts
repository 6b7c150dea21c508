import { constants } from 'node:os'
import { debuglog } from 'node:util'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { ConfigError, NoShop } from '../config.ts'
import { oneLine } from '../ports/one-line.ts'

/** A wrong command line, in one line. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

/** As shells count: 130 for Ctrl-C. */
const SIGNALLED = 128
/** A driver that still waits for its server keeps no process that is done. */
const LEFT_MS = 500

/** What `npm run NAME` runs. Its verbs inherit how errors are reported. */
export function program(name: string, does: string): Command {
  return new Command(`npm run ${name} --`)
    .description(does)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .configureHelp({ helpWidth: 120 })
    .addHelpText(
      'afterAll',
      '\nExit codes: 0 done, 1 failed or a problem was found, 2 wrong usage or no shop, 130 ended by Ctrl-C.',
    )
}

/** An option's value: an empty one, or another option in its place, is a slip. */
export function value(given: string): string {
  if (given === '' || given.startsWith('-')) throw new InvalidArgumentError('It needs a value.')
  return given
}

export function wholeNumber(min: number, max: number): (given: string) => number {
  return (given) => {
    const number = Number(given)
    if (/^\d+$/.test(given) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`It takes a whole number from ${min} to ${max}.`)
  }
}

/** Runs what the command line asks for, and ends the process. */
export async function runProgram(asked: Command): Promise<void> {
  // `| head` has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  process.stderr.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(SIGNALLED + constants.signals[signal]))
  process.on('uncaughtException', (error) => process.exit(said(error)))
  await run(asked, process.argv.slice(2))
  setTimeout(() => process.exit(), LEFT_MS).unref()
}

/** Sets the exit code; says in one line on stderr what is wrong. */
export async function run(asked: Command, words: readonly string[]): Promise<void> {
  try {
    await asked.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    process.exitCode = said(usageErrorOf(error, verbOf(asked, words)))
  }
}

function verbOf(command: Command, [word, ...others]: readonly string[]): Command {
  const verb = command.commands.find((one) => one.name() === word)
  return verb ? verbOf(verb, others) : command
}

function usageErrorOf(error: unknown, verb: Command): unknown {
  if (!(error instanceof CommanderError || error instanceof UsageError)) return error
  const names = [verb, ...ancestorsOf(verb)].map((one) => one.name()).toReversed()
  // A missing verb has only the help for a message.
  const missing = `name one of: ${verb.commands.map((one) => one.name()).join(', ')}`
  const what = error instanceof CommanderError && error.code === 'commander.help' ? missing : oneLine(error)
  return new UsageError(`${what.replace(/^error: /, '')} (see ${names.join(' ')} --help)`, { cause: error })
}

function ancestorsOf({ parent }: Command): Command[] {
  return parent ? [parent, ...ancestorsOf(parent)] : []
}

/** Says what is wrong; answers the exit code. */
function said(error: unknown): 1 | 2 {
  debuglog('coinshop')('%s', error instanceof Error ? error.stack : error)
  process.stderr.write(`${error instanceof ConfigError ? 'configuration: ' : ''}${oneLine(error)}\n`)
  return error instanceof UsageError || error instanceof NoShop ? 2 : 1
}
