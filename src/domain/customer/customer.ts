import type { Decider } from '../decider.ts'
import type { CustomerEvent } from './events.ts'

export type CustomerCommand = { type: 'EraseCustomer'; customerId: string; adminId: string; at: string }

export interface CustomerState {
  readonly isErased: boolean
}

function decide({ customerId, adminId, at }: CustomerCommand, customer: CustomerState): CustomerEvent[] {
  return customer.isErased ? [] : [{ type: 'CustomerErased', data: { customerId, adminId, at } }]
}

function evolve(_customer: CustomerState, _event: CustomerEvent): CustomerState {
  return { isErased: true }
}

export const customer: Decider<CustomerCommand, CustomerState, CustomerEvent> = {
  initial: { isErased: false },
  decide,
  evolve,
}
