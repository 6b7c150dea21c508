import type { Position } from '../engines/event-store/event-store.ts'
import type { SetState, ViewStore } from '../engines/view-store/view-store.ts'
import { deregister, namedSets, readRegistry } from './registry.ts'

/** Deregisters the set only after the drop, so that an interrupted drop is repeated. */
export async function dropSet(store: ViewStore, set: string): Promise<void> {
  await store.drop(set)
  await deregister(store, set)
}

/**
 * Drops sets that the registry does not name: those that a paused process wrote to after their drop, and those of a lost registry. A set is registered before it is
 * created, so every set found before reading the registry was registered.
 */
export async function dropUnnamed(store: ViewStore): Promise<void> {
  const found = await store.found()
  const named = new Set(namedSets(await readRegistry(store)))
  for (const set of found) if (!named.has(set)) await store.drop(set)
}

/** The sets, of any shape, that have not reached this position. */
export async function setsBelow(store: ViewStore, position: Position): Promise<string[]> {
  const below: string[] = []
  for (const set of namedSets(await readRegistry(store))) {
    const state = await store.stateOf(set)
    if (state && state.checkpoint < position) below.push(set)
  }
  return below
}

/** All complete sets, registered or not. */
export async function completeSets(store: ViewStore): Promise<{ set: string; state: SetState }[]> {
  const complete: { set: string; state: SetState }[] = []
  for (const set of await store.found()) {
    const state = await store.stateOf(set)
    if (state) complete.push({ set, state })
  }
  return complete
}

/** Drops all sets, registered or not. */
export async function dropAll(store: ViewStore): Promise<void> {
  const sets = new Set([...(await store.found()), ...namedSets(await readRegistry(store))])
  for (const set of sets) await dropSet(store, set)
}
