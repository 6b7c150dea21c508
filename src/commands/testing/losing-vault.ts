import type { Fate } from '../../testing/interposed.ts'

/** Knows no buyer while `isLost`, as an older copy does not know later ones. */
export function losingVault() {
  const lost = { isLost: false }
  const vault: Fate = async (make, { name }) => (lost.isLost && name === 'keysOf' ? new Map() : make())
  return { lost, fates: { vault } }
}
