import { unblockBuyer } from '../commands/block-buyer.ts'
import { readBlocks } from '../shop/blocks.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { jobFor, jobText, type Policy } from './policy.ts'

/** A block ends by its time unless it was renewed. */
export function endBlocks(context: CommandContext): Policy {
  const name = 'end-blocks'
  return {
    name,
    concurrency: 1,
    timeoutMs: 30_000,
    due: async (nowMs) => (await readBlocks(context, nowMs)).map(({ id }) => jobFor(name, { blockId: id }, id)),
    async run(job, caller) {
      await unblockBuyer(context, caller, { blockId: jobText(job, 'blockId'), adminId: null })
    },
  }
}
