import { constants } from 'node:os'
import { debuglog } from 'node:util'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { ConfigError, NoShop } from '../config.ts'
import { oneLine } from '../ports/one-line.ts'

/** A wrong command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Added to a signal, as in shells: 130 for Ctrl-C. */
const SIGNALLED = 128
/** After this, a driver that still waits for its server cannot delay the exit. */
const LINGER_MS = 500

/** The program of `npm run NAME`. Its verbs inherit the error reporting. */
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

/** An option's value; rejects an empty one, or another option instead. */
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

/** Runs the command line, and ends the process. */
export async function runProgram(command: Command): Promise<void> {
  // The reader of a pipe, such as `head`, has ended.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  process.stderr.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(SIGNALLED + constants.signals[signal]))
  process.on('uncaughtException', (error) => process.exit(reportError(error)))
  await run(command, process.argv.slice(2))
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

/** Sets the exit code; prints an error in one line on stderr. */
export async function run(command: Command, words: readonly string[]): Promise<void> {
  try {
    await command.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    process.exitCode = reportError(usageErrorOf(error, verbOf(command, words)))
  }
}

function verbOf(command: Command, [word, ...others]: readonly string[]): Command {
  const verb = command.commands.find((one) => one.name() === word)
  return verb ? verbOf(verb, others) : command
}

function usageErrorOf(error: unknown, verb: Command): unknown {
  if (!(error instanceof CommanderError || error instanceof UsageError)) return error
  const names = [verb, ...ancestorsOf(verb)].map((one) => one.name()).toReversed()
  // For a missing verb, commander's message is only the help.
  const missing = `name one of: ${verb.commands.map((one) => one.name()).join(', ')}`
  const what = error instanceof CommanderError && error.code === 'commander.help' ? missing : oneLine(error)
  return new UsageError(`${what.replace(/^error: /, '')} (see ${names.join(' ')} --help)`, { cause: error })
}

function ancestorsOf({ parent }: Command): Command[] {
  return parent ? [parent, ...ancestorsOf(parent)] : []
}

/** Prints an error; returns the exit code. */
function reportError(error: unknown): 1 | 2 {
  debuglog('coinshop')('%s', error instanceof Error ? error.stack : error)
  process.stderr.write(`${error instanceof ConfigError ? 'configuration: ' : ''}${oneLine(error)}\n`)
  return error instanceof UsageError || error instanceof NoShop ? 2 : 1
}
