import type { Shop } from '../../shop/shop.ts'

/** Something that happens once its time has come. */
interface Entry {
  readonly atMs: number
  readonly happen: (shop: Shop) => Promise<unknown>
}

export const MINUTE_MS = 60_000

/** What is still to happen, by its minute; what follows at once waits for the next minute, since this one has begun. */
export class Agenda {
  private readonly minutes = new Map<number, Entry[]>()
  private next = 0

  add(atMs: number, happen: Entry['happen']): void {
    const minute = Math.max(Math.floor(atMs / MINUTE_MS), this.next)
    const entry = { atMs: Math.max(Math.floor(atMs), minute * MINUTE_MS), happen }
    const entries = this.minutes.get(minute)
    if (entries) entries.push(entry)
    else this.minutes.set(minute, [entry])
  }

  /** The entries of this minute, in the order of their times. */
  take(minute: number): readonly Entry[] {
    this.next = minute + 1
    const entries = this.minutes.get(minute) ?? []
    this.minutes.delete(minute)
    return entries.toSorted((one, other) => one.atMs - other.atMs)
  }
}
