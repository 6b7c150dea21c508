import * as z from 'zod/mini'
import { blockKinds, blockReasons } from '../../domain/words.ts'
import { charsMax, visibleTextPattern } from './formats.ts'
import { trimmed } from './typed-text.ts'

export type { BlockKind, BlockReason } from '../../domain/words.ts'

const kinds = z.array(z.enum(blockKinds))

/** `POST /api/orders/{id}/block`, staff: blocks the buyer of this order. A repeat with the same Idempotency-Key is the same block. */
export const blockCreate = z.strictObject({
  /** E-mail, chat name, and the payer's account at PayPal. */
  kinds: kinds.check(z.minLength(1, 'Tick what to block.'), z.maxLength(blockKinds.length)),
  reason: z.enum(blockReasons),
  /** For staff; deleted when the buyer is erased. */
  remark: z.optional(z.string().check(...charsMax(500), z.overwrite(trimmed), visibleTextPattern)),
})
export type BlockCreate = z.infer<typeof blockCreate>

/** `POST /api/admin/blocks/{id}/renew` */
export const blockRenewal = z.strictObject({})

/** `GET /api/admin/blocks`: at most some 1,000, the first to end first. */
export const blockList = z.object({
  blocks: z.array(
    z.object({
      id: z.string(),
      kinds,
      reason: z.enum(blockReasons),
      blockedAt: z.string(),
      endsAt: z.string(),
      /** How often an order or payment was met. */
      met: z.number(),
      /** Empty once the buyer is erased. */
      remark: z.string(),
      /** The order that it was made from, and its buyer; null if that can no longer be read. */
      order: z.nullable(
        z.object({ id: z.string(), orderNumber: z.string(), customerEmail: z.string(), discordUsername: z.string() }),
      ),
    }),
  ),
})
export type Block = z.infer<typeof blockList>['blocks'][number]
export type BlockList = z.infer<typeof blockList>
