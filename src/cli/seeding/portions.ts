/** Some of them at a time, and at last what is left. */
export function* portions<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let portion: Item[] = []
  for (const item of items) {
    portion.push(item)
    if (portion.length < size) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
