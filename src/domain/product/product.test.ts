import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { ProductEvent, ProductFields } from './events.ts'
import { product } from './product.ts'

const { emits, ignores, refuses } = examplesOf(product)

const by = { productId: 'product-1', adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const fields: ProductFields = {
  name: 'Starter',
  description: 'A first taste.',
  quantityM: 10,
  active: true,
  position: 0,
}
const create = { type: 'CreateProduct', fields, ...by } as const
const change = (changes: Partial<ProductFields>) => ({ type: 'ChangeProduct', changes, ...by }) as const
const remove = { type: 'DeleteProduct', ...by } as const
const created: ProductEvent = { type: 'ProductCreated', data: { ...fields, ...by } }
const changed = (changes: Partial<ProductFields>): ProductEvent => ({
  type: 'ProductChanged',
  data: { changes, ...by },
})
const deleted: ProductEvent = { type: 'ProductDeleted', data: by }

describe('a product', () => {
  it('is listed', () => emits([], create, created))
  it('is not listed again under the id of a deleted one', () => ignores([created, deleted], create))

  it('notes only what is different now', () =>
    emits([created], change({ name: 'Starter', quantityM: 20 }), changed({ quantityM: 20 })))
  it('keeps what a change does not name', () =>
    expect(fold(product, [created, changed({ active: false }), changed({ name: 'First' })])).toStrictEqual({
      kind: 'listed',
      fields: { ...fields, active: false, name: 'First' },
    }))
  it('is changed only while it is listed', () => {
    refuses([], change({ name: 'First' }), 'product/not-found')
    refuses([created, deleted], change({ name: 'First' }), 'product/not-found')
  })
  it('stays deleted whatever comes after', () =>
    expect(fold(product, [created, deleted, changed({ name: 'First' })])).toStrictEqual({ kind: 'deleted' }))

  it('is deleted', () => emits([created], remove, deleted))
  it('is deleted only if it was there', () => refuses([], remove, 'product/not-found'))
})
