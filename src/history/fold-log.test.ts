import { describe, expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { type Fold, foldLog } from './fold-log.ts'

/** Remembers the orders that it saw placed. */
function placedFold(): Fold & { readonly orders: string[] } {
  const orders: string[] = []
  return {
    orders,
    needs: ({ type }) => type === 'OrderPlaced',
    see: (event) => void (event.type === 'OrderPlaced' && orders.push(event.data.orderId)),
  }
}

describe('the log, shown to folds', () => {
  it('goes on where it was left', async () => {
    const log = shopLog()
    await log.record(placed({ orderId: 'order-1' }))
    const fold = placedFold()
    const first = await foldLog(log.store, { position: await log.store.head() }, [fold])
    await log.record(placed({ orderId: 'order-2' }))
    const head = await log.store.head()
    const { reached } = await foldLog(log.store, { position: head }, [fold], { from: first.reached })
    expect(fold.orders).toEqual(['order-1', 'order-2'])
    expect(reached).toMatchObject({ events: 2, position: head })
  })

  it('counts what a fold needs and this release cannot read', async () => {
    const log = shopLog()
    await log.recordRaw('order-1', { type: 'OrderPlaced', version: 99, data: {} })
    const fold = placedFold()
    const moment = { position: await log.store.head() }
    expect(await foldLog(log.store, moment, [fold])).toMatchObject({ reached: { events: 1 }, unreadable: 1 })
    expect(fold.orders).toEqual([])
  })
})
