import type { ProductFields } from '../domain/product/events.ts'
import { withChanges } from '../domain/changed-fields.ts'
import { is } from '../engines/view-store/view-store.ts'
import { idIn, isOf, type Projection, type Queries } from './projection.ts'
import { allBodies, type Views } from './shop-views.ts'

export interface ProductDocument extends ProductFields {
  readonly productId: string
  readonly createdAt: string
  readonly updatedAt: string
}

const NAME = 'catalogue'
const productTypes = ['ProductCreated', 'ProductChanged', 'ProductDeleted'] as const

const byPosition = { field: 'position', direction: 'asc' } as const
const catalogueQueries = {
  everything: () => ({ where: [], sort: byPosition }),
  active: () => ({ where: [is('active', true)], sort: byPosition }),
} satisfies Queries

export const catalogueProjection: Projection<ProductDocument> = {
  name: NAME,
  fields: { active: 'boolean', position: 'number' },
  indexes: [['position'], ['active', 'position']],
  queries: catalogueQueries,

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
  const query = activeOnly ? catalogueQueries.active() : catalogueQueries.everything()
  return Array.fromAsync(allBodies<ProductDocument>(views, NAME, query))
}
