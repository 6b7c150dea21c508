/** Progress of a long run, on stderr: one line that is rewritten on a terminal, else a line every few seconds. */
export interface Progress {
  readonly show: (text: string) => void
  /** Erases the line, before anything else is written to the terminal. */
  readonly clear: () => void
}

const TERMINAL_MS = 100
const LINE_MS = 5_000
const ERASE_LINE = '\r\u001B[K'

export function progressOn(
  stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'> = process.stderr,
  now = () => performance.now(),
): Progress {
  let shownAt = stream.isTTY ? -Infinity : now()
  let isShown = false

  function clear(): void {
    if (isShown) stream.write(ERASE_LINE)
    isShown = false
  }

  if (stream.isTTY) process.once('exit', clear)
  return {
    show(text) {
      if (now() - shownAt < (stream.isTTY ? TERMINAL_MS : LINE_MS)) return
      shownAt = now()
      isShown = stream.isTTY
      stream.write(stream.isTTY ? `${ERASE_LINE}${text.slice(0, (stream.columns || 80) - 1)}` : `${text}\n`)
    },
    clear,
  }
}
