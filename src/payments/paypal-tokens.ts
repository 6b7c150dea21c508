/** A token and for how long it may be given out. */
export interface Token {
  readonly text: string
  readonly freshMs: number
}

export interface Tokens {
  get(): Promise<string>
  /** It was refused: the next one is fetched, unless that has happened already. */
  drop(text: string): void
}

/** Keeps a token while it is fresh. Concurrent callers share one fetch. */
export function keptToken(now: () => number, fetched: () => Promise<Token>): Tokens {
  let kept: { readonly text: string; readonly until: number } | undefined
  let fetching: Promise<string> | undefined

  async function fetchOne(): Promise<string> {
    const { text, freshMs } = await fetched()
    kept = { text, until: now() + freshMs }
    return text
  }

  return {
    async get() {
      if (kept && now() < kept.until) return kept.text
      fetching ??= fetchOne().finally(() => {
        fetching = undefined
      })
      return fetching
    },
    drop(text) {
      if (kept?.text === text) kept = undefined
    },
  }
}
