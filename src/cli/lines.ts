import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

/** Reads lines from stdin: keeps secrets out of the command line, its history and the process list. */
export interface Lines {
  /** Asks on stderr; returns the next line, trimmed, or an empty text at the end of the input. */
  ask(question: string): Promise<string>
  close(): void
}

/** Prints one or several lines. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

export function linesFrom(input: Input): Lines {
  const lines = rawLines(createInterface({ input }))
  return { ...lines, ask: async (question) => (await lines.ask(question)).trim() }
}

/** Reads a new password: hidden and twice on a terminal, else the next line. Undefined if the two differ. */
export async function newPasswordFrom(input: Input): Promise<string | undefined> {
  const isTyped = input.isTTY === true
  // In raw mode the terminal shows only what `readline` writes to its output.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = rawLines(createInterface(isTyped ? { input, output, terminal: true, historySize: 0 } : { input }))
  try {
    const password = await lines.ask('New password: ')
    if (!isTyped) return password
    const again = await lines.ask('\nThe same once more: ')
    process.stderr.write('\n')
    return password === again ? password : undefined
  } finally {
    lines.close()
  }
}

function rawLines(terminal: Interface): Lines {
  // In raw mode Ctrl-C sends no signal.
  terminal.on('SIGINT', () => process.exit(130))
  // Listen at once, so that lines that arrive before they are needed are not lost.
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async ask(question) {
      process.stderr.write(question)
      const { value, done } = await lines.next()
      return done === true ? '' : value
    },
    close: () => terminal.close(),
  }
}
