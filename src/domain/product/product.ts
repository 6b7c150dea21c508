import type { Decider } from '../decider.ts'
import { type Changes, changedFields, withChanges } from '../changed-fields.ts'
import { Refusal } from '../refusal.ts'
import type { ProductEvent, ProductFields } from './events.ts'

interface By {
  productId: string
  adminId: string
  at: string
}

export type ProductCommand =
  | ({ type: 'CreateProduct'; fields: ProductFields } & By)
  | ({ type: 'ChangeProduct'; changes: Changes<ProductFields> } & By)
  | ({ type: 'DeleteProduct' } & By)

export interface ProductState extends ProductFields {
  readonly productId: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** All products by id, deleted ones too: ids are not reused. */
export type Catalogue = ReadonlyMap<string, ProductState | 'deleted'>

function decide(command: ProductCommand, products: Catalogue): ProductEvent[] {
  const { productId, adminId, at } = command
  switch (command.type) {
    case 'CreateProduct':
      if (products.has(productId)) return []
      return [{ type: 'ProductCreated', data: { ...command.fields, productId, adminId, at } }]
    case 'ChangeProduct': {
      const changes = changedFields<ProductFields>(findProduct(products, productId), command.changes)
      return changes ? [{ type: 'ProductChanged', data: { changes, productId, adminId, at } }] : []
    }
    case 'DeleteProduct':
      if (products.get(productId) === 'deleted') return []
      findProduct(products, productId)
      return [{ type: 'ProductDeleted', data: { productId, adminId, at } }]
  }
}

function evolve(products: Catalogue, { type, data }: ProductEvent): Catalogue {
  const { productId, at } = data
  const product = products.get(productId)
  switch (type) {
    case 'ProductCreated': {
      const { adminId: _by, at: _at, ...fields } = data
      return new Map(products).set(productId, { ...fields, createdAt: at, updatedAt: at })
    }
    case 'ProductChanged':
      if (product === undefined || product === 'deleted') return products
      return new Map(products).set(productId, { ...product, ...withChanges(product, data.changes), updatedAt: at })
    case 'ProductDeleted':
      return new Map(products).set(productId, 'deleted')
  }
}

export const catalogue: Decider<ProductCommand, Catalogue, ProductEvent> = { initial: new Map(), decide, evolve }

/** Throws `product/not-found` if it is unknown or deleted. */
export function findProduct(products: Catalogue, productId: string): ProductState {
  const product = products.get(productId)
  if (product === undefined || product === 'deleted')
    throw new Refusal('product/not-found', `There is no product ${productId}.`)
  return product
}

/** Sorted by position. */
export function listProducts(products: Catalogue, { activeOnly }: { activeOnly: boolean }): ProductState[] {
  return [...products.values()]
    .filter((product) => product !== 'deleted')
    .filter(({ active }) => active || !activeOnly)
    .sort((one, other) => one.position - other.position || (one.productId < other.productId ? -1 : 1))
}
