import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { SharedTexts, ViewStore } from '../engines/view-store/view-store.ts'

/** The sets of one shape. */
const entry = z.object({
  /** Readers use this set. */
  serving: z.optional(z.string()),
  /** Serves once it has caught up. */
  building: z.optional(z.string()),
  /** The previous serving set, until it is dropped. */
  former: z.optional(z.string()),
})
const registry = z.record(z.string(), entry)
export type Entry = Readonly<z.infer<typeof entry>>
/** By shape. */
export type Registry = Readonly<Record<string, Entry>>

const NAME = 'registry'
/** Each turn is lost only if another process has changed the registry. */
const TURNS_MAX = 100

/** A lost or damaged registry counts as empty: sets found without it may be half built. */
export async function readRegistry(store: Pick<ViewStore, 'texts'>): Promise<Registry> {
  return parse(await store.texts.read(NAME))
}

export async function entryOf(store: Pick<ViewStore, 'texts'>, shape: string): Promise<Entry> {
  return (await readRegistry(store))[shape] ?? {}
}

export function setsOf(entry: Entry): string[] {
  return [entry.serving, entry.building, entry.former].filter((set) => set !== undefined)
}

/** All sets in the registry. */
export function namedSets(registry: Registry): string[] {
  return Object.values(registry).flatMap(setsOf)
}

/** Changes one shape's entry by compare-and-set, unless `change` returns undefined. Returns whether it changed. */
export async function changeEntry(
  { texts }: { readonly texts: SharedTexts },
  shape: string,
  change: (entry: Entry) => Entry | undefined,
): Promise<boolean> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const from = await texts.read(NAME)
    const { [shape]: before = {}, ...others } = parse(from)
    const after = change(before)
    if (!after) return false
    const to = JSON.stringify(setsOf(after).length > 0 ? { ...others, [shape]: after } : others)
    if (await texts.replace(NAME, { from, to })) return true
  }
  throw new Error('the registry of the views is changed by others all the time')
}

/** Removes a set from the registry, in any role. */
export async function deregister(store: Pick<ViewStore, 'texts'>, set: string): Promise<void> {
  for (const [shape, known] of Object.entries(await readRegistry(store)))
    if (setsOf(known).includes(set))
      await changeEntry(store, shape, (now) => {
        const kept = Object.entries(now).filter(([, named]) => named !== set)
        return kept.length < setsOf(now).length ? Object.fromEntries(kept) : undefined
      })
}

/** A random id, so that none is ever used again. */
export function newSetId(): string {
  return randomBytes(12).toString('hex')
}

function parse(text: string | undefined): Registry {
  if (text === undefined) return {}
  try {
    return registry.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
