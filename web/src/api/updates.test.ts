import { expect, it } from 'vitest'
import { isReadAtPush } from './admin.ts'
import { keysOf } from './updates.ts'

it('reads an order again only when that order has changed', () => {
  expect(keysOf('order:1')).toEqual(['/api/orders/1'])
  expect(keysOf('staff')).toEqual([])
  const keys = ['/api/orders/1', '/api/orders?limit=50 1', '/api/admin/analytics', '/api/pricing']
  expect(keys.filter(isReadAtPush)).toEqual(['/api/orders?limit=50 1', '/api/admin/analytics'])
})
