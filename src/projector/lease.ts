import type { SharedTexts } from '../engines/view-store/view-store.ts'

/** The lease is over this long after its last renewal, by the clock of the process that watches it. */
const OVER_MS = 5_000
const RENEW_MS = 2_000
/** A shape whose lease was not renewed for this long is not used any more. */
const ABANDONED_MS = 600_000
const FREE = '-'

/** One process at a time folds the sets of a shape. One that is paused beyond its lease may still write a page: positions make that harmless. */
export interface Leases {
  /** Takes or renews the lease of a shape; false while another process renews it. */
  hold(shape: string): Promise<boolean>
  /** Takes the lease of a shape that no process has renewed for ten minutes; otherwise false. */
  takeAbandoned(shape: string): Promise<boolean>
  giveBack(shape: string): Promise<void>
}

/** A lease is a shared text, its owner and a count of its changes. `now` is monotonic; the clocks of processes are never compared. */
export function leasesOf(texts: SharedTexts, { owner, now }: { owner: string; now: () => number }): Leases {
  /** The texts as they were last read, and since when. */
  const seen = new Map<string, { readonly text: string | undefined; readonly since: number }>()
  const renewedAt = new Map<string, number>()

  async function look(shape: string) {
    const text = await texts.read(nameOf(shape))
    const known = seen.get(shape)
    const since = known && known.text === text ? known.since : now()
    seen.set(shape, { text, since })
    const [holder = FREE, count] = text?.split(' ') ?? []
    const change = async (to: string): Promise<boolean> =>
      texts.replace(nameOf(shape), { from: text, to: `${to} ${Number(count ?? 0) + 1}` })
    return { holder, unchangedMs: now() - since, change }
  }

  return {
    async hold(shape) {
      if (now() - (renewedAt.get(shape) ?? -Infinity) < RENEW_MS) return true
      renewedAt.delete(shape)
      const { holder, unchangedMs, change } = await look(shape)
      const mayTake = holder === FREE || holder === owner || unchangedMs >= OVER_MS
      if (!mayTake || !(await change(owner))) return false
      renewedAt.set(shape, now())
      return true
    },

    async takeAbandoned(shape) {
      const { unchangedMs, change } = await look(shape)
      return unchangedMs >= ABANDONED_MS && change(owner)
    },

    async giveBack(shape) {
      renewedAt.delete(shape)
      const { holder, change } = await look(shape)
      if (holder === owner) await change(FREE)
    },
  }
}

function nameOf(shape: string): string {
  return `lease ${shape}`
}
