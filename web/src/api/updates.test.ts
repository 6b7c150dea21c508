import { expect, it } from 'vitest'
import { isReadAtPush } from './admin.ts'
import { keysOf } from './updates.ts'

it('a push revalidates an open order only if that order has changed', () => {
  expect(keysOf('order:1')).toEqual(['/api/orders/1'])
  expect(keysOf('staff')).toEqual([])
  const keys = ['/api/orders/1', '/api/orders?limit=50 1', '/api/admin/analytics', '/api/pricing']
  expect(keys.filter(isReadAtPush)).toEqual(['/api/orders?limit=50 1', '/api/admin/analytics'])
})
