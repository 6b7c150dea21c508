/** What a double plays next; nothing once it was played so often. */
export class Faults<Kind extends string> {
  readonly kinds: readonly Kind[]
  private kind: Kind | undefined
  private left = 0

  constructor(kinds: readonly Kind[]) {
    this.kinds = kinds
  }

  fail(kind: Kind, times = Infinity): void {
    this.kind = kind
    this.left = times
  }

  recover(): void {
    this.left = 0
  }

  /** The fault of this call, if it is one of these. */
  take(...kinds: readonly Kind[]): Kind | undefined {
    if (this.left === 0 || this.kind === undefined || !kinds.includes(this.kind)) return undefined
    this.left -= 1
    return this.kind
  }
}
