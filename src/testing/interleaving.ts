/** Threads over shared engines: every call waits for its turn, and the test chooses the next turn. */
export interface Interleaving {
  /** The engine as this thread meets it. */
  engine<Engine extends object>(thread: string, engine: Engine): Engine
  /** Waits for a turn of this thread. */
  turn(thread: string, what: string): Promise<void>
  /** Stops the thread at its next call, as if its process had crashed there. */
  kill(thread: string): void
  /** Lets one waiting call go at a time, until all threads have ended or died; `choose` picks one of so many. */
  run(
    threads: ReadonlyMap<string, Promise<unknown>>,
    choose: (count: number) => number,
    afterEach: () => Promise<void>,
  ): Promise<void>
}

interface Waiting {
  readonly thread: string
  readonly go: () => void
}

/** Beyond this many steps a thread must be in an endless loop. */
const STEPS_MAX = 10_000

export function interleaving(): Interleaving {
  const waiting: Waiting[] = []
  const dead = new Set<string>()

  async function turn(thread: string): Promise<void> {
    return new Promise((resolve) => {
      waiting.push({ thread, go: resolve })
    })
  }

  return {
    turn,
    kill: (thread) => dead.add(thread),

    engine: (thread, engine) =>
      new Proxy(engine, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          return async (...given: unknown[]): Promise<unknown> => {
            await turn(thread)
            return (member as (...all: unknown[]) => unknown).apply(target, given)
          }
        },
      }),

    async run(threads, choose, afterEach) {
      const running = new Set(threads.keys())
      for (const [thread, ended] of threads)
        void ended.then(
          () => running.delete(thread),
          () => running.delete(thread),
        )
      for (let step = 0; step < STEPS_MAX; step += 1) {
        await allSettled()
        if ([...running].every((thread) => dead.has(thread))) return
        const ready = waiting.filter(({ thread }) => !dead.has(thread))
        const next = ready[choose(ready.length)]
        if (!next) continue
        waiting.splice(waiting.indexOf(next), 1)
        next.go()
        await allSettled()
        await afterEach()
      }
      throw new Error('the threads do not come to an end')
    },
  }
}

/** Everything that can go on without a turn has gone on. */
async function allSettled(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}
