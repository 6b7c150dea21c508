import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { given as givenDecider } from '../testing/given.ts'
import type { ProductEvent, ProductFields } from './events.ts'
import { product } from './product.ts'

const given = givenDecider(product)

const by = { productId: 'product-1', adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const fields: ProductFields = {
  name: 'Starter',
  description: 'A first taste.',
  quantityM: 10,
  imageUrl: 'https://example.org/starter.png',
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
  it('is listed', () => given().when(create).emits(created))
  it('is listed once', () => given(created).when(create).changesNothing())
  it('is not listed again under the id of a deleted one', () => given(created, deleted).when(create).changesNothing())

  it('notes only what is different now', () =>
    given(created)
      .when(change({ name: 'Starter', quantityM: 20, imageUrl: null }))
      .emits(changed({ quantityM: 20, imageUrl: null })))
  it('notes a change once', () =>
    given(created, changed({ imageUrl: null }))
      .when(change({ imageUrl: null }))
      .changesNothing())
  it('keeps what a change does not name', () =>
    expect(fold(product, [created, changed({ active: false }), changed({ name: 'First' })])).toStrictEqual({
      kind: 'listed',
      fields: { ...fields, active: false, name: 'First' },
    }))
  it('is changed only while it is listed', () => {
    given()
      .when(change({ name: 'First' }))
      .refuses('product/not-found')
    given(created, deleted)
      .when(change({ name: 'First' }))
      .refuses('product/not-found')
  })
  it('stays deleted whatever comes after', () =>
    expect(fold(product, [created, deleted, changed({ name: 'First' })])).toStrictEqual({ kind: 'deleted' }))

  it('is deleted', () => given(created).when(remove).emits(deleted))
  it('is deleted once', () => given(created, deleted).when(remove).changesNothing())
  it('is deleted only if it was there', () => given().when(remove).refuses('product/not-found'))
})
