import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

/** Lines from stdin, so that secrets stand in no command line and so in no history or process list. */
export interface Lines {
  /** Asks on stderr; the next line without its ends, or an empty text at the end of the input. */
  ask(question: string): Promise<string>
  close(): void
}

/** One line, or several, on stdout. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

export function linesFrom(input: Input): Lines {
  const lines = rawLines(createInterface({ input }))
  return { ...lines, ask: async (question) => (await lines.ask(question)).trim() }
}

/** A new password: unseen and twice from a terminal, else the next line. Undefined where the two differ. */
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
  // Raw mode takes the signal from Ctrl-C.
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
