const BUCKETS = 256

/**
 * A map that is never changed: `with` and `without` answer a new one and copy only one bucket of 256. Made for a state of up to some ten thousand
 * entries that changes with every event, where copying it all would cost a millisecond each time.
 */
export class PersistentMap<Key extends string | number, Value> {
  readonly size: number
  private readonly buckets: readonly (ReadonlyMap<Key, Value> | undefined)[]

  constructor(buckets: readonly (ReadonlyMap<Key, Value> | undefined)[] = [], size = 0) {
    this.buckets = buckets
    this.size = size
  }

  get(key: Key): Value | undefined {
    return this.buckets[bucketOf(key)]?.get(key)
  }

  with(key: Key, value: Value): PersistentMap<Key, Value> {
    const bucket = new Map(this.buckets[bucketOf(key)])
    const isNew = !bucket.has(key)
    bucket.set(key, value)
    return new PersistentMap(this.replaced(key, bucket), this.size + (isNew ? 1 : 0))
  }

  without(key: Key): PersistentMap<Key, Value> {
    const old = this.buckets[bucketOf(key)]
    if (!old?.has(key)) return this
    const bucket = new Map(old)
    bucket.delete(key)
    return new PersistentMap(this.replaced(key, bucket), this.size - 1)
  }

  *values(): IterableIterator<Value> {
    for (const bucket of this.buckets) if (bucket) yield* bucket.values()
  }

  private replaced(key: Key, bucket: ReadonlyMap<Key, Value>): (ReadonlyMap<Key, Value> | undefined)[] {
    const buckets = this.buckets.length === 0 ? Array<undefined>(BUCKETS).fill(undefined) : [...this.buckets]
    return buckets.with(bucketOf(key), bucket)
  }
}

function bucketOf(key: string | number): number {
  if (typeof key === 'number') return key % BUCKETS
  // The ids are random, so a few characters spread them.
  let hash = 0
  for (let index = 0; index < 8; index += 1) hash = (hash * 31 + (key.charCodeAt(index) || 0)) | 0
  return (hash >>> 0) % BUCKETS
}
