import type { Decider } from '../decider.ts'
import { PersistentMap } from '../persistent-map.ts'
import type { BlockEvent } from './events.ts'

type DataOf<Type extends BlockEvent['type']> = Extract<BlockEvent, { type: Type }>['data']
type BlockCommand =
  { type: 'BlockBuyer'; block: DataOf<'BuyerBlocked'> } | { type: 'UnblockBuyer'; end: DataOf<'BuyerUnblocked'> }

/** Every block by its id. */
type Blocks = PersistentMap<string, 'in-force' | 'ended'>

function decide(command: BlockCommand, blocks: Blocks): BlockEvent[] {
  if (command.type === 'BlockBuyer')
    return blocks.get(command.block.blockId) ? [] : [{ type: 'BuyerBlocked', data: command.block }]
  return blocks.get(command.end.blockId) === 'in-force' ? [{ type: 'BuyerUnblocked', data: command.end }] : []
}

function evolve(blocks: Blocks, { type, data: { blockId } }: BlockEvent): Blocks {
  return blocks.with(blockId, type === 'BuyerBlocked' ? 'in-force' : 'ended')
}

export const block: Decider<BlockCommand, Blocks, BlockEvent> = { initial: new PersistentMap(), decide, evolve }
