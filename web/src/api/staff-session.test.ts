import { expect, it } from 'vitest'
import { isStaffKey } from './staff-session.ts'

it('the keys of orders and of the admin API are staff data', () => {
  for (const key of ['/api/orders', '/api/orders?search=ash', '/api/orders/1', '/api/admin/analytics'])
    expect(isStaffKey(key)).toBe(true)
  for (const key of ['/api/pricing', '/api/shop', undefined, null]) expect(isStaffKey(key)).toBe(false)
})
