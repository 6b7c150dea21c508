import type { Decider } from '../decider.ts'
import { PersistentMap } from '../persistent-map.ts'
import type { CustomerEvent } from './events.ts'

type CustomerCommand = { type: 'EraseCustomer'; customerId: string; adminId: string; at: string }

/** The register of erased customers: one stream, so that a start need not read the whole log. */
export type ErasedCustomers = PersistentMap<string, string>

function decide({ customerId, adminId, at }: CustomerCommand, erased: ErasedCustomers): CustomerEvent[] {
  return erased.get(customerId) === undefined ? [{ type: 'CustomerErased', data: { customerId, adminId, at } }] : []
}

function evolve(erased: ErasedCustomers, { data: { customerId } }: CustomerEvent): ErasedCustomers {
  return erased.with(customerId, customerId)
}

export const customer: Decider<CustomerCommand, ErasedCustomers, CustomerEvent> = {
  initial: new PersistentMap(),
  decide,
  evolve,
}
