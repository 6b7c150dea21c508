/** Two levels of this many slots each: 20,000 entries are about five per bucket. */
const BRANCHES = 64
const HASHED_CHARACTERS = 8

type Bucket<Key, Value> = ReadonlyMap<Key, Value>
type Branches<Child> = readonly (Child | undefined)[]
type Tree<Key, Value> = Branches<Branches<Bucket<Key, Value>>>

const NO_BRANCHES: Branches<never> = Array<undefined>(BRANCHES).fill(undefined)

/**
 * An immutable map: `with` and `without` return a new one and copy only the path to one of 4,096 buckets. For a state of ten thousand entries that
 * changes with every event, where a full copy would cost a millisecond.
 */
export class PersistentMap<Key extends string | number, Value> {
  readonly size: number
  private readonly tree: Tree<Key, Value>

  constructor(tree: Tree<Key, Value> = NO_BRANCHES, size = 0) {
    this.tree = tree
    this.size = size
  }

  get(key: Key): Value | undefined {
    return this.bucketOf(hashOf(key))?.get(key)
  }

  with(key: Key, value: Value): PersistentMap<Key, Value> {
    const hash = hashOf(key)
    const bucket = new Map(this.bucketOf(hash))
    const sizeBefore = bucket.size
    bucket.set(key, value)
    return this.withBucket(hash, bucket, this.size + bucket.size - sizeBefore)
  }

  without(key: Key): PersistentMap<Key, Value> {
    const hash = hashOf(key)
    const old = this.bucketOf(hash)
    if (!old?.has(key)) return this
    const bucket = new Map(old)
    bucket.delete(key)
    return this.withBucket(hash, bucket, this.size - 1)
  }

  *values(): IterableIterator<Value> {
    for (const branch of this.tree) for (const bucket of branch ?? []) if (bucket) yield* bucket.values()
  }

  private bucketOf(hash: number): Bucket<Key, Value> | undefined {
    return this.tree[branchOf(hash)]?.[leafOf(hash)]
  }

  private withBucket(hash: number, bucket: Bucket<Key, Value>, size: number): PersistentMap<Key, Value> {
    const branch = this.tree[branchOf(hash)] ?? NO_BRANCHES
    return new PersistentMap(this.tree.with(branchOf(hash), branch.with(leafOf(hash), bucket)), size)
  }
}

function branchOf(hash: number): number {
  return Math.floor(hash / BRANCHES) % BRANCHES
}

function leafOf(hash: number): number {
  return hash % BRANCHES
}

function hashOf(key: string | number): number {
  if (typeof key === 'number') return key
  // Ids begin with a time and end at random, so their last characters spread well.
  const { length } = key
  let hash = 0
  for (let index = Math.max(length - HASHED_CHARACTERS, 0); index < length; index += 1)
    hash = (hash * 31 + key.charCodeAt(index)) | 0
  return hash >>> 0
}
