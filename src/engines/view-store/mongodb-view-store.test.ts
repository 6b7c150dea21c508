import { expect, it } from 'vitest'
import { interposed } from '../testing/interposed.ts'
import { viewStoreOver } from './mongodb-view-store.ts'
import { connectionTo, documentServer } from './testing/document-server.ts'
import { begun, put } from './testing/put.ts'
import { people, person, SET, source } from './testing/view-steps.ts'
import { SetGone } from './view-store.ts'

async function opened() {
  const server = documentServer()
  const store = viewStoreOver(connectionTo(server.calls))
  await store.create(SET, begun, [people])
  await put(store, SET, [{ collection: people, documents: [person('anna', 1)] }])
  return { server, store }
}

it('a read fails if everything is wiped between its query and the look at the marker', async () => {
  const { server } = await opened()
  let finds = 0
  const calls = interposed(server.calls, async (make, { name }) => {
    if (name === 'find' && (finds += 1) === 1) server.wipe()
    return make()
  })
  await expect(viewStoreOver(connectionTo(calls)).load(source, ['anna'])).rejects.toThrow(SetGone)
})

it('a runner paused over a drop learns that its set is gone, and the cleaner finds what it wrote', async () => {
  const { server, store } = await opened()
  const calls = interposed(server.calls, async (make, { name }) => {
    if (name === 'bulkWrite') await store.drop(SET)
    return make()
  })
  const paused = viewStoreOver(connectionTo(calls))
  await expect(put(paused, SET, [{ collection: people, documents: [person('bert', 2)] }])).rejects.toThrow(SetGone)
  expect(await store.found()).toEqual([SET])
  expect(await store.stateOf(SET)).toBeUndefined()
})
