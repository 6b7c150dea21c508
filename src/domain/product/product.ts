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

export type ProductState =
  { readonly kind: 'none' } | { readonly kind: 'listed'; readonly fields: ProductFields } | { readonly kind: 'deleted' }

function decide(command: ProductCommand, product: ProductState): ProductEvent[] {
  const { productId, adminId, at } = command
  switch (command.type) {
    case 'CreateProduct':
      if (product.kind !== 'none') return []
      return [{ type: 'ProductCreated', data: { ...command.fields, productId, adminId, at } }]
    case 'ChangeProduct': {
      if (product.kind !== 'listed') throw notFound(productId)
      const changes = changedFields(product.fields, command.changes)
      return changes ? [{ type: 'ProductChanged', data: { changes, productId, adminId, at } }] : []
    }
    case 'DeleteProduct':
      if (product.kind === 'none') throw notFound(productId)
      if (product.kind === 'deleted') return []
      return [{ type: 'ProductDeleted', data: { productId, adminId, at } }]
  }
}

function notFound(productId: string): Refusal {
  return new Refusal('product/not-found', `There is no product ${productId}.`)
}

function evolve(product: ProductState, event: ProductEvent): ProductState {
  switch (event.type) {
    case 'ProductCreated': {
      const { productId: _id, adminId: _by, at: _at, ...fields } = event.data
      return { kind: 'listed', fields }
    }
    case 'ProductChanged':
      if (product.kind !== 'listed') return product
      return { kind: 'listed', fields: withChanges(product.fields, event.data.changes) }
    case 'ProductDeleted':
      return { kind: 'deleted' }
  }
}

export const product: Decider<ProductCommand, ProductState, ProductEvent> = {
  initial: { kind: 'none' },
  decide,
  evolve,
}
