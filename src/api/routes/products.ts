import * as z from 'zod/mini'
import { handleProduct } from '../../commands/handle-product.ts'
import { nowText } from '../../shop/command-context.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Catalogue, listProducts, findProduct } from '../../domain/product/product.ts'
import type { Api } from '../api.ts'
import { orderId as uuid } from '../contract/order.ts'
import { product, productChange, productCreate } from '../contract/product.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { productView } from '../mappers/product-view.ts'
import { type Call, type Route, route, staffRoute } from '../http/route.ts'

export function productRoutes(api: Api): Route[] {
  const { context } = api
  const answer = (products: Catalogue, productId: string) => productView(context, findProduct(products, productId))
  return [
    route({
      id: 'listProducts',
      method: 'get',
      path: '/api/products',
      summary: 'Products on sale; staff also get inactive ones.',
      answers: z.array(product),
      reads: 'hot-states',
      async handle(call) {
        const listed = listProducts(context.hot.products.state, { activeOnly: call.session === undefined })
        return { body: listed.map((one) => productView(context, one)) }
      },
    }),

    staffRoute({
      id: 'createProduct',
      method: 'post',
      path: '/api/products',
      summary: 'Add a product.',
      body: productCreate,
      answers: product,
      status: 201,
      headers: ['Idempotency-Key'],
      async handle(call) {
        const { pokecoinAmount: quantityM, ...same } = call.body
        const key = idempotencyKeyOf(call)
        const productId = key === undefined ? context.random.uuid() : context.keys.productIdFor(key)
        const by = { productId, adminId: call.session.adminId, at: nowText(context) }
        const { products, position } = await handleProduct(context, call.caller, {
          type: 'CreateProduct',
          fields: { ...same, quantityM },
          ...by,
        })
        return { status: 201, body: answer(products, productId), position }
      },
    }),

    staffRoute({
      id: 'changeProduct',
      method: 'patch',
      path: '/api/products/:id',
      summary: 'Change some fields of a product.',
      body: productChange,
      answers: product,
      async handle(call) {
        const { pokecoinAmount: quantityM, ...same } = call.body
        const productId = idOf(call)
        const by = { productId, adminId: call.session.adminId, at: nowText(context) }
        const { products, position } = await handleProduct(context, call.caller, {
          type: 'ChangeProduct',
          changes: { ...same, quantityM },
          ...by,
        })
        return { body: answer(products, productId), position }
      },
    }),

    staffRoute({
      id: 'deleteProduct',
      method: 'delete',
      path: '/api/products/:id',
      summary: 'Delete a product.',
      answers: null,
      async handle(call) {
        const by = { productId: idOf(call), adminId: call.session.adminId, at: nowText(context) }
        const { position } = await handleProduct(context, call.caller, { type: 'DeleteProduct', ...by })
        return { position }
      },
    }),
  ]
}

/** A malformed id counts as unknown. */
function idOf(call: Pick<Call, 'param'>): string {
  const id = uuid.safeParse(call.param('id'))
  if (!id.success) throw new Refusal('product/not-found', 'There is no such product.')
  return id.data
}
