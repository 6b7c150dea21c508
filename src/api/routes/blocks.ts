import { blockBuyer, unblockBuyer } from '../../commands/block-buyer.ts'
import { blockKinds } from '../../domain/words.ts'
import { Refusal } from '../../domain/refusal.ts'
import { knownOrders } from '../../projections/known-orders.ts'
import { ordersOf } from '../../projections/orders.ts'
import { readBlocks, renewBlock } from '../../shop/blocks.ts'
import type { Api } from '../api.ts'
import { blockCreate, blockList, type BlockList, blockRenewal } from '../contract/blocks.ts'
import { done } from '../contract/order.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { type Call, type Route, sentenceBody, staffRoute } from '../http/route.ts'
import { orderViews } from '../mappers/order-answers.ts'
import { idOf } from './orders.ts'

export function blockRoutes(api: Api): Route[] {
  const { context } = api
  return [
    staffRoute({
      id: 'blockBuyer',
      method: 'post',
      path: '/api/orders/:id/block',
      summary: 'Block the buyer of an order, and end the open orders of this buyer that hold no money.',
      body: blockCreate,
      answers: done,
      headers: ['Idempotency-Key'],
      async handle(call) {
        const [key, orderId] = [idempotencyKeyOf(call), idOf(call)]
        const { remark = '', ...said } = call.body
        const { ended, position } = await blockBuyer(context, call.caller, {
          ...said,
          remark,
          blockId: key === undefined ? context.random.uuid() : context.keys.fingerprint(`block/${key}`),
          orderId,
          adminId: call.session.adminId,
          known: knownOrders(api.views),
        })
        const orders = ended === 0 ? '' : ` ${ended} unpaid ${ended === 1 ? 'order was' : 'orders were'} cancelled.`
        return { body: sentenceBody(`This buyer is blocked.${orders}`), position }
      },
    }),

    staffRoute({
      id: 'listBlocks',
      method: 'get',
      path: '/api/admin/blocks',
      summary: 'Blocked buyers, and who they are while that can be read.',
      answers: blockList,
      handle: async (call) => ({ body: await listOf(api, call) }),
    }),

    staffRoute({
      id: 'renewBlock',
      method: 'post',
      path: '/api/admin/blocks/:id/renew',
      summary: 'A block ends 24 months from now.',
      body: blockRenewal,
      answers: done,
      async handle(call) {
        if (!(await renewBlock(context, call.param('id'))))
          throw new Refusal('block/not-found', 'This block has ended.')
        return { body: sentenceBody('This buyer is blocked for 24 months from now.') }
      },
    }),

    staffRoute({
      id: 'unblockBuyer',
      method: 'delete',
      path: '/api/admin/blocks/:id',
      summary: 'End a block, and delete what it knows.',
      answers: null,
      async handle(call) {
        const block = { blockId: call.param('id'), adminId: call.session.adminId }
        return { position: await unblockBuyer(context, call.caller, block) }
      },
    }),
  ]
}

async function listOf(api: Api, call: Pick<Call, 'views'>): Promise<BlockList> {
  const blocks = await readBlocks(api.context)
  const ids = blocks.flatMap(({ value: { of } }) => (of ? [{ id: of.orderId }] : []))
  const orders = ids.length === 0 ? [] : await ordersOf(await call.views(), ids)
  const buyers = new Map(
    (await orderViews(api, orders, { isPast: false })).map(
      ({ id, orderNumber, customerEmail, discordUsername, isUnreadable }) =>
        [id, isUnreadable ? null : { id, orderNumber, customerEmail, discordUsername }] as const,
    ),
  )
  return {
    blocks: blocks.map(({ id, due = 0, value: { hashes, of, ...block } }) => ({
      ...block,
      id,
      kinds: blockKinds.filter((kind) => hashes[kind] !== undefined),
      endsAt: new Date(due).toISOString(),
      remark: of?.remark ?? '',
      order: buyers.get(of?.orderId ?? '') ?? null,
    })),
  }
}
