import { setTimeout as pause } from 'node:timers/promises'

const TICK_MS = 5
/** Whoever is so far behind does not serve this load: what is due meanwhile is left out. */
const UNDER_WAY_MAX = 2_000

/**
 * Begins something `perSecond` times a second, evenly, whether or not what began before has ended. Resolves when all has ended, with how
 * many had to be left out. */
export async function paced(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  begin: () => Promise<void>,
): Promise<number> {
  const underWay = new Set<Promise<void>>()
  const beganAt = performance.now()
  let failure: unknown
  let begun = 0
  let leftOut = 0
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - beganAt) {
    for (const due = (elapsed / 1_000) * perSecond; begun < due; begun += 1) {
      if (underWay.size >= UNDER_WAY_MAX) {
        leftOut += 1
        continue
      }
      const one: Promise<void> = begin()
        .catch((error: unknown) => void (failure ??= error))
        .finally(() => underWay.delete(one))
      underWay.add(one)
    }
    if (failure !== undefined) throw failure
    await pause(TICK_MS)
  }
  await Promise.all(underWay)
  if (failure !== undefined) throw failure
  return leftOut
}
