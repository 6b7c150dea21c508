import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Event-loop turns in which a group gathers: microseconds when idle, longer (so larger groups) under load. */
const GATHERING_TURNS = 6

interface GroupCommit<Item, Result> {
  add(item: Item): Promise<Result>
  /** Resolves once all added items are settled. */
  done(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly answer: PromiseWithResolvers<Result>
}

/**
 * Group commit: concurrent items share one `commit` and its fsync. An item whose result is an error fails alone. `commit` calls `take` once it has the
 * lock, so that items which come while it waits are in the group; again for the same group, if it starts over.
 */
export function groupCommit<Item, Result>({
  commit,
  itemsMax,
  bytesOf = () => 0,
  bytesMax = Infinity,
}: {
  readonly commit: (take: () => readonly Item[]) => Promise<readonly (Result | Error | undefined)[]>
  readonly itemsMax: number
  readonly bytesOf?: (item: Item) => number
  readonly bytesMax?: number
}): GroupCommit<Item, Result> {
  const queue: Waiting<Item, Result>[] = []
  let committing: Promise<void> | undefined

  function nextGroup(): Waiting<Item, Result>[] {
    let bytes = 0
    let end = 0
    for (const { item } of queue.slice(0, itemsMax)) {
      bytes += bytesOf(item)
      if (end > 0 && bytes > bytesMax) break
      end += 1
    }
    return queue.splice(0, end)
  }

  async function commitAll(): Promise<void> {
    while (queue.length > 0) {
      for (let turn = 0; turn < GATHERING_TURNS; turn += 1) await endOfTurn()
      let taken: Waiting<Item, Result>[] | undefined
      const group = (): Waiting<Item, Result>[] => (taken ??= nextGroup())
      try {
        const results = await commit(() => group().map(({ item }) => item))
        for (const [index, { answer }] of group().entries()) {
          const result = results[index]
          if (result === undefined || result instanceof Error) answer.reject(result)
          else answer.resolve(result)
        }
      } catch (error) {
        for (const { answer } of group()) answer.reject(error)
      }
    }
    committing = undefined
  }

  return {
    async add(item) {
      const answer = Promise.withResolvers<Result>()
      queue.push({ item, answer })
      committing ??= commitAll()
      return answer.promise
    },
    done: async () => committing,
  }
}
