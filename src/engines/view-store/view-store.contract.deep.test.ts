import { describeEach } from '../../testing/describe-unless.ts'
import { mongodbViewStores } from './testing/view-stores.ts'
import { sharedViewStoreContract, viewStoreContract } from './view-store.contract.test.ts'
import { viewStoreProperty } from './view-store.property.test.ts'

describeEach(mongodbViewStores, 'view store contract', viewStoreContract)
describeEach(mongodbViewStores, 'two view stores on one database', sharedViewStoreContract)
describeEach(mongodbViewStores, 'a view store', viewStoreProperty)
