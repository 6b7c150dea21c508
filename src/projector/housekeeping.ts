import type { Position } from '../engines/event-store/event-store.ts'
import type { SetState, ViewStore } from '../engines/view-store/view-store.ts'
import { deregister, namedSets, readRegistry } from './registry.ts'

/** Its name is kept until nothing of it is left, so that a drop that is cut short is repeated. */
export async function dropSet(store: ViewStore, set: string): Promise<void> {
  await store.drop(set)
  await deregister(store, set)
}

/**
 * Drops what the registry does not name: what a paused process wrote into a set that was dropped meanwhile, and sets of a lost registry. A set is registered first
 * and created second, so what was found before the registry is read was registered before.
 */
export async function dropUnnamed(store: ViewStore): Promise<void> {
  const found = await store.found()
  const named = new Set(namedSets(await readRegistry(store)))
  for (const set of found) if (!named.has(set)) await store.drop(set)
}

/** The sets, of any shape, that have not come to this position. */
export async function setsBelow(store: ViewStore, position: Position): Promise<string[]> {
  const below: string[] = []
  for (const set of namedSets(await readRegistry(store))) {
    const state = await store.stateOf(set)
    if (state && state.checkpoint < position) below.push(set)
  }
  return below
}

/** Every set that stands as a whole, named or not. */
export async function standingSets(store: ViewStore): Promise<{ set: string; state: SetState }[]> {
  const standing: { set: string; state: SetState }[] = []
  for (const set of await store.found()) {
    const state = await store.stateOf(set)
    if (state) standing.push({ set, state })
  }
  return standing
}

/** Drops everything, named or not. */
export async function dropAll(store: ViewStore): Promise<void> {
  const sets = new Set([...(await store.found()), ...namedSets(await readRegistry(store))])
  for (const set of sets) await dropSet(store, set)
}
