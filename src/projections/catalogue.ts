import type { ProductFields } from '../domain/product/events.ts'
import { withChanges } from '../domain/product/product.ts'
import { idIn, isOf, type Projection } from './projection.ts'
import { all, type Views } from './view-reader.ts'

export interface ProductDocument extends ProductFields {
  readonly productId: string
  readonly createdAt: string
  readonly updatedAt: string
}

const NAME = 'catalogue'
const productTypes = ['ProductCreated', 'ProductChanged', 'ProductDeleted'] as const

export const catalogueProjection: Projection<ProductDocument> = {
  name: NAME,
  version: 2,
  fields: { active: 'boolean', position: 'number' },
  indexes: [['position'], ['active', 'position']],

  keys(event) {
    const productId = idIn('product', event.stream)
    return productId === undefined ? [] : [productId]
  },

  evolve({ body }, event) {
    if (!isOf(productTypes, event)) return body
    switch (event.type) {
      case 'ProductCreated': {
        const { adminId: _by, at, ...fields } = event.data
        return { ...fields, createdAt: at, updatedAt: at }
      }
      case 'ProductChanged':
        if (!body) return undefined
        return { ...body, ...withChanges(body, event.data.changes), updatedAt: event.data.at }
      case 'ProductDeleted':
        return undefined
    }
  },
}

/** In the order of their positions. Throws `ViewBehind` like all that follow. */
export async function listProducts(views: Views, { activeOnly }: { activeOnly: boolean }): Promise<ProductDocument[]> {
  const products: ProductDocument[] = []
  const found = all<ProductDocument>(views, await views.collection(NAME), {
    ...(activeOnly && { equals: { active: true } }),
    sort: { field: 'position', direction: 'asc' },
  })
  for await (const { body } of found) products.push(body)
  return products
}

export async function findProduct(views: Views, productId: string): Promise<ProductDocument | undefined> {
  const collection = await views.collection(NAME)
  return (await views.store.load(collection, [productId])).get(productId)?.body as ProductDocument | undefined
}
