import fc from 'fast-check'
import { expect, it } from 'vitest'
import { order } from '../domain/order/order.ts'
import { orderHistories } from '../domain/testing/arbitraries.ts'
import { orderFrom, storedOrder, type StoredOrder } from './stored-order.ts'

it('a stored order is read back as it was', () => {
  fc.assert(
    fc.property(orderHistories, ({ events }) => {
      let state = order.initial
      for (const event of events) {
        state = order.evolve(state, event)
        if (state.kind === 'none') continue
        const text = JSON.stringify(storedOrder(state))
        expect(orderFrom(JSON.parse(text) as StoredOrder)).toEqual(state)
      }
    }),
  )
})
