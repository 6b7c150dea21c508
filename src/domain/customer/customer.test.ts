import { describe, it } from 'vitest'
import { given as givenDecider } from '../testing/given.ts'
import { customer } from './customer.ts'

const given = givenDecider(customer)

const by = { customerId: 'customer-1', adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const erase = { type: 'EraseCustomer', ...by } as const
const erased = { type: 'CustomerErased', data: by } as const

describe('erasing a customer', () => {
  it('is noted', () => given().when(erase).emits(erased))
  it('is noted once', () => given(erased).when(erase).changesNothing())
  it('is noted of each person', () => {
    const another = { ...by, customerId: 'customer-2' }
    given(erased)
      .when({ type: 'EraseCustomer', ...another })
      .emits({ type: 'CustomerErased', data: another })
  })
})
