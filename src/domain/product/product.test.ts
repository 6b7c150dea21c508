import { expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { ProductEvent, ProductFields } from './events.ts'
import { catalogue, listProducts } from './product.ts'

const { emits, ignores, refuses } = examplesOf(catalogue)

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

it('a product is created', () => emits([], create, created))
it('a product is not created again under the id of a deleted one', () => ignores([created, deleted], create))

it('a change of a product records only what differs', () =>
  emits([created], change({ name: 'Starter', quantityM: 20 }), changed({ quantityM: 20 })))
it('a product keeps what a change does not name, and when it was created', () => {
  const later = {
    ...changed({ name: 'First' }),
    data: { changes: { name: 'First' }, ...by, at: '2026-03-02T12:00:00.000Z' },
  }
  const products = fold(catalogue, [created, changed({ active: false }), later])
  expect(products.get('product-1')).toStrictEqual({
    ...fields,
    productId: 'product-1',
    active: false,
    name: 'First',
    createdAt: by.at,
    updatedAt: '2026-03-02T12:00:00.000Z',
  })
})

it('only an existing product can be changed', () => {
  refuses([], change({ name: 'First' }), 'product/not-found')
  refuses([created, deleted], change({ name: 'First' }), 'product/not-found')
})

it('a deleted product stays deleted whatever follows', () =>
  expect(fold(catalogue, [created, deleted, changed({ name: 'First' })]).get('product-1')).toBe('deleted'))

it('a product is deleted', () => emits([created], remove, deleted))
it('a product that never was cannot be deleted', () => refuses([], remove, 'product/not-found'))

it('products are listed by position, and only the active ones for buyers', () => {
  const at = (productId: string, position: number, active: boolean): ProductEvent => ({
    type: 'ProductCreated',
    data: { ...fields, ...by, productId, position, active },
  })
  const products = fold(catalogue, [
    at('c', 2, true),
    at('a', 10, true),
    at('b', 1, false),
    at('d', 0, true),
    { type: 'ProductDeleted', data: { ...by, productId: 'd' } },
  ])
  const ids = (activeOnly: boolean) => listProducts(products, { activeOnly }).map(({ productId }) => productId)
  expect([ids(false), ids(true)]).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a'],
  ])
})
