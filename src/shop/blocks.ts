import { blockSpelling } from '../domain/block/spelling.ts'
import { type BlockKind, blockKinds, type BlockReason } from '../domain/words.ts'
import { type Vault, VaultAway, type VaultNote } from '../engines/vault/vault.ts'
import type { CommandContext } from './command-context.ts'

/*
 * Blocked buyers, as notes of the vault. Each block is a note under its id, due when it ends. Each keyed hash of what is blocked is a note that
 * names its block.
 */

export interface Block {
  readonly reason: BlockReason
  readonly blockedAt: string
  readonly hashes: Readonly<Partial<Record<BlockKind, string>>>
  /** How often an order or payment of this buyer was met. */
  readonly met: number
  /** The order that it was made from, and staff's remark; undefined once the buyer is erased. */
  readonly of?: { readonly customerId: string; readonly orderId: string; readonly remark: string } | undefined
}

export type Traits = { readonly [Kind in BlockKind]?: string | undefined }
type Kept = Pick<CommandContext, 'vault'>
type BlockNote = VaultNote & { readonly value: Block }

const KIND = 'block'
export const BLOCKS_MAX = 1_000
/** Attempts of a change that loses to concurrent ones. */
const ATTEMPTS_MAX = 20
const MONTHS = 24

export function hashesOf({ keys }: Pick<CommandContext, 'keys'>, traits: Traits): Block['hashes'] {
  const hashed = blockKinds.flatMap((kind) => {
    const text = traits[kind]
    return text === undefined ? [] : [[kind, keys.blockHmac(kind, blockSpelling(kind, text))] as const]
  })
  return Object.fromEntries(hashed)
}

/** Whether one of these is blocked, which counts as met. The work is the same whichever of them is. */
export async function meetsBlock(
  context: Pick<CommandContext, 'vault' | 'keys' | 'clock'>,
  traits: Traits,
): Promise<boolean> {
  const { vault, clock } = context
  const found = await vault.notes(KIND, Object.values(hashesOf(context, traits)))
  if (found.length === 0) return false
  const ids = [...new Set(found.map(blockIdIn))]
  const inForce = (await vault.notes(KIND, ids)).find(({ due = 0 }) => due > clock.now())
  if (!inForce) return false
  await changeBlock(vault, inForce.id, ({ value, ...note }) => ({ ...note, value: { ...value, met: value.met + 1 } }))
  return true
}

/** Blocks in force or just ended, the first to end first. */
export async function readBlocks({ vault }: Kept, before = Number.MAX_SAFE_INTEGER): Promise<BlockNote[]> {
  return (await vault.dueNotes(KIND, { before, limit: 2 * BLOCKS_MAX })) as BlockNote[]
}

/** Completes one that a crash interrupted. Returns false, without a change, if another block has one of these hashes. */
export async function writeBlock(context: CommandContext, blockId: string, block: Block): Promise<boolean> {
  const { vault, clock } = context
  const isFree = async ({ hashes }: Block): Promise<boolean> =>
    (await vault.notes(KIND, Object.values(hashes))).every((hash) => blockIdIn(hash) === blockId)
  const [known] = await vault.notes(KIND, [blockId])
  const written = known ? (known.value as Block) : block
  if (written.of?.orderId !== block.of?.orderId || !(await isFree(written))) return false
  // First what is listed and ends: no hash outlives its block.
  if (!known) await vault.writeNote(KIND, { id: blockId, value: block, due: endAfter(clock.now()) }, 'absent')
  for (const id of Object.values(written.hashes))
    await vault.writeNote(KIND, { id, value: { blockId }, due: undefined }, 'absent')
  if (await isFree(written)) return true
  await deleteBlock(context, blockId)
  return false
}

/** It ends two years from now; false if there is no such block. */
export async function renewBlock({ vault, clock }: CommandContext, blockId: string): Promise<boolean> {
  return changeBlock(vault, blockId, (note) => ({ ...note, due: endAfter(clock.now()) }))
}

/** Deletes a block and its hashes, and wipes their bytes. */
export async function deleteBlock({ vault }: Kept, blockId: string): Promise<void> {
  const [note] = await vault.notes(KIND, [blockId])
  const hashes = note ? await vault.notes(KIND, Object.values((note.value as Block).hashes)) : []
  for (const hash of hashes) if (blockIdIn(hash) === blockId) await vault.deleteNote(KIND, hash)
  await changeBlock(vault, blockId, () => undefined)
  await vault.wipe()
}

/** Removes from the blocks what names a customer for whom `isErased` is true. The hashes stay. Returns how many it changed. */
export async function forgetErased({ vault }: Kept, isErased: (customerId: string) => boolean): Promise<number> {
  const named = (await readBlocks({ vault })).filter(({ value: { of } }) => of && isErased(of.customerId))
  for (const { id } of named)
    await changeBlock(vault, id, ({ value: { of: _of, ...value }, ...note }) => ({ ...note, value }))
  if (named.length > 0) await vault.wipe()
  return named.length
}

/** Writes what `change` returns, or deletes the block; false if there is none. */
async function changeBlock(
  vault: Vault,
  blockId: string,
  change: (note: BlockNote) => BlockNote | undefined,
): Promise<boolean> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const [note] = (await vault.notes(KIND, [blockId])) as BlockNote[]
    if (!note) return false
    const after = change(note)
    if (await (after ? vault.writeNote(KIND, after, note.version) : vault.deleteNote(KIND, note))) return true
  }
  throw new VaultAway('Too many change this block at once')
}

function blockIdIn({ value }: VaultNote): string {
  return (value as { blockId: string }).blockId
}

function endAfter(now: number): number {
  return new Date(now).setUTCMonth(new Date(now).getUTCMonth() + MONTHS)
}
