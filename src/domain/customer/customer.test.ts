import { it } from 'vitest'
import { examplesOf } from '../testing/examples.ts'
import { customer } from './customer.ts'

const { emits } = examplesOf(customer)

const by = { customerId: 'customer-1', adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const erase = { type: 'EraseCustomer', ...by } as const
const erased = { type: 'CustomerErased', data: by } as const

it('erasing a customer is recorded', () => emits([], erase, erased))
it('erasing is recorded for each customer', () => {
  const another = { ...by, customerId: 'customer-2' }
  emits([erased], { type: 'EraseCustomer', ...another }, { type: 'CustomerErased', data: another })
})
