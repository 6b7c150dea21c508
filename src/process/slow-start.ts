const SLOW_MS = 5_000

/** Reports every few seconds of a long start what it is at. */
export function slowStart(say: (at: string) => void, everyMs = SLOW_MS) {
  let at = 'opening log, vault and views'
  const timer = setInterval(() => say(at), everyMs)
  return {
    progress: (text: string): void => void (at = text),
    end: (): void => clearInterval(timer),
  }
}
