import { describeEach } from '../../testing/describe-unless.ts'
import { eventStoreContract } from './event-store.contract.test.ts'
import { eventstoredbStores } from './testing/engines.ts'

describeEach(eventstoredbStores, 'event store contract', eventStoreContract)
