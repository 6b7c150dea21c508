import * as z from 'zod'
import type { SharedTexts } from '../engines/view-store/view-store.ts'

/** The lease is over this long after its last renewal, by the clock of the process that watches it. */
const OVER_MS = 5_000
const RENEW_MS = 2_000
/** A shape whose lease was not renewed for this long is not used any more. */
const ABANDONED_MS = 600_000

const lease = z.object({ owner: z.nullable(z.string()), turn: z.number() })

/** One process at a time folds the sets of a shape. One that is paused beyond its lease may still write a page: positions make that harmless. */
export interface Leases {
  /** Takes or renews the lease of a shape; false while another process renews it. */
  hold(shape: string): Promise<boolean>
  /** Takes the lease of a shape that no process has renewed for ten minutes; otherwise false. */
  takeAbandoned(shape: string): Promise<boolean>
  giveBack(shape: string): Promise<void>
}

/** A lease is a shared text, which its owner changes to renew it. `now` is monotonic; clocks of processes are never compared. */
export function leasesOf(texts: SharedTexts, { owner, now }: { owner: string; now: () => number }): Leases {
  /** The texts as they were last read, and since when. */
  const seen = new Map<string, { readonly text: string | undefined; readonly since: number }>()
  const renewedAt = new Map<string, number>()

  async function look(shape: string) {
    const text = await texts.read(nameOf(shape))
    const known = seen.get(shape)
    const since = known && known.text === text ? known.since : now()
    seen.set(shape, { text, since })
    return { text, unchangedMs: now() - since, ...parsed(text) }
  }

  async function take(shape: string, { text, turn }: { text: string | undefined; turn: number }): Promise<boolean> {
    const to = JSON.stringify({ owner, turn: turn + 1 })
    if (!(await texts.replace(nameOf(shape), { from: text, to }))) return false
    renewedAt.set(shape, now())
    return true
  }

  return {
    async hold(shape) {
      if (now() - (renewedAt.get(shape) ?? -Infinity) < RENEW_MS) return true
      renewedAt.delete(shape)
      const found = await look(shape)
      const mayTake = found.owner === null || found.owner === owner || found.unchangedMs >= OVER_MS
      return mayTake && take(shape, found)
    },

    async takeAbandoned(shape) {
      const found = await look(shape)
      return found.unchangedMs >= ABANDONED_MS && take(shape, found)
    },

    async giveBack(shape) {
      renewedAt.delete(shape)
      const { text, turn, owner: holder } = await look(shape)
      const to = JSON.stringify({ owner: null, turn: turn + 1 })
      if (holder === owner) await texts.replace(nameOf(shape), { from: text, to })
    },
  }
}

function nameOf(shape: string): string {
  return `lease ${shape}`
}

/** A missing or damaged lease is free. */
function parsed(text: string | undefined): z.infer<typeof lease> {
  try {
    return lease.parse(JSON.parse(text ?? ''))
  } catch {
    return { owner: null, turn: 0 }
  }
}
