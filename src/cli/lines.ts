import { createInterface } from 'node:readline'

/** Lines from stdin, so that secrets stand in no command line and so in no history or process list. */
export interface Lines {
  /** Asks on stderr; the next line without its ends, or an empty text at the end of the input. */
  ask(question: string): Promise<string>
  close(): void
}

export function linesFrom(input: NodeJS.ReadableStream): Lines {
  const terminal = createInterface({ input })
  // Listen at once, so that lines that arrive before they are needed are not lost.
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async ask(question) {
      process.stderr.write(question)
      const { value, done } = await lines.next()
      return done === true ? '' : value.trim()
    },
    close: () => terminal.close(),
  }
}
