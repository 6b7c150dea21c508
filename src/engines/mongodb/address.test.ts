import { MongoClient } from 'mongodb'
import { expect, it } from 'vitest'
import { wrongAddress } from './address.ts'
import { clientOptions } from './connection.ts'

const NO_JOURNAL =
  'turns the journal off, without which a crash of the server loses what was written: remove journal=false'

it.each([
  ['mongodb://h1:27017,h2:27017/db?replicaSet=rs0', undefined],
  ['mongodb://shop:p%40ss@h/db?authSource=admin', undefined],
  ['mongodb+srv://cluster.example/db', undefined],
  ['mongodb://h/db?journal=true&w=1', undefined],
  ['mongodb://h/db?journal=false', NO_JOURNAL],
  ['mongodb://h/db?j=false', NO_JOURNAL],
  ['mongodb://h/db?tls=maybe', 'cannot be used: tls/ssl must be either "true" or "false"'],
  ['mongodb://h/db?no-such-option=1', 'cannot be used: option no-such-option is not supported'],
  ['mongodb://', 'cannot be used: Protocol and host list are required in the uri'],
])('%s: %s', (url, why) => {
  expect(wrongAddress(url)).toBe(why)
})

it.each(['', '?journal=false', '?w=1', '?w=0', '?readPreference=secondary'])(
  'writes to a majority and to the journal, and reads from the primary, with %s in the address too',
  (query) => {
    const { writeConcern, readPreference } = new MongoClient(`mongodb://h/db${query}`, clientOptions(1_000, 1_000))
      .options
    expect(writeConcern).toMatchObject({ w: 'majority', journal: true })
    expect(readPreference.mode).toBe('primary')
  },
)
