interface Entry<Item> {
  readonly at: number
  readonly item: Item
}

/** What is going to happen, the earliest first. A binary heap: a year of orders has some ten thousand things ahead at any moment. */
export class Timeline<Item> {
  private readonly heap: Entry<Item>[] = []

  get size(): number {
    return this.heap.length
  }

  add(at: number, item: Item): void {
    const entry = { at, item }
    let place = this.heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = this.heap[above]
      if (!parent || parent.at <= at) break
      this.heap[place] = parent
      place = above
    }
    this.heap[place] = entry
  }

  /** The earliest, if it happens at `until` or before. */
  take(until: number): Entry<Item> | undefined {
    const [first] = this.heap
    if (!first || first.at > until) return undefined
    const last = this.heap.pop()
    if (last && this.heap.length > 0) this.sink(last)
    return first
  }

  private sink(entry: Entry<Item>): void {
    const { heap } = this
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      const smaller = right && left && right.at < left.at ? right : left
      if (!smaller || smaller.at >= entry.at) break
      heap[place] = smaller
      place = 2 * place + (smaller === left ? 1 : 2)
    }
    heap[place] = entry
  }
}
