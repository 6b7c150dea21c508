import { describe, expect, it } from 'vitest'
import { minute } from '../domain/testing/order-samples.ts'
import { catalogueProjection } from './catalogue.ts'
import { bodiesAfter } from '../projector/testing/clean-fold.ts'
import { product, samples } from './testing/samples.ts'

const { ProductCreated, ProductChanged, ProductDeleted } = samples

describe('the catalogue view', () => {
  it('ProductCreated: shows the product, and nothing of who made it', () => {
    expect(bodiesAfter(catalogueProjection, ProductCreated).get('product-1')).toEqual({
      ...product,
      productId: 'product-1',
      createdAt: minute(1),
      updatedAt: minute(1),
    })
  })

  it('ProductChanged: shows what is different now', () => {
    const later = { ...ProductChanged, data: { ...ProductChanged.data, at: minute(5) } }
    expect(bodiesAfter(catalogueProjection, ProductCreated, later).get('product-1')).toMatchObject({
      name: 'First',
      quantityM: product.quantityM,
      createdAt: minute(1),
      updatedAt: minute(5),
    })
  })

  it('ProductDeleted: shows it no longer, whatever comes after', () => {
    expect(bodiesAfter(catalogueProjection, ProductCreated, ProductDeleted, ProductChanged).size).toBe(0)
  })
})
