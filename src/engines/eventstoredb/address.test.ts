import { EventStoreDBClient } from '@eventstore/db-client'
import { expect, it } from 'vitest'
import { parseAddress, withSettings, wrongAddress } from './address.ts'

const CLUSTER = 'esdb://shop:p%40ss@one:2113,two:2114,three?nodePreference=follower'

it.for([
  'esdb://127.0.0.1:2113?tls=false',
  'esdb://localhost/?tls=false&keepAliveInterval=20000',
  'esdb://shop:secret@log.example:2113',
  'esdb+discover://shop:secret@cluster.example',
  'esdb://127.0.0.1:2113/shop_2?tls=false',
  'esdb://shop:secret@log.example/shop2',
  CLUSTER,
])('an address of an EventStoreDB is accepted, also by the driver: %s', (url) => {
  expect(wrongAddress(url)).toBeUndefined()
  expect(() => EventStoreDBClient.connectionString(withSettings(url, { nodePreference: 'leader' }))).not.toThrow()
})

it('an address of an EventStoreDB is parsed', () => {
  expect(parseAddress(CLUSTER)).toEqual({
    shown: 'esdb://one:2113,two:2114,three',
    isSecure: true,
    hosts: [
      { host: 'one', port: 2113 },
      { host: 'two', port: 2114 },
      { host: 'three', port: 2113 },
    ],
    credentials: { username: 'shop', password: 'p@ss' },
    caFile: undefined,
    prefix: '',
  })
  const insecure = parseAddress('esdb://[::1]:2114?TLS=false&tls-ca-file=%2Fetc%2Fca.pem')
  expect(insecure).toMatchObject({ isSecure: false, hosts: [{ host: '[::1]', port: 2114 }], caFile: '/etc/ca.pem' })
  const shared = parseAddress('esdb://shop:secret@one,two:2114/shop2?tlsCAFile=%2Fetc%2Fca.pem')
  expect(shared).toMatchObject({ shown: 'esdb://one,two:2114/shop2', prefix: 'shop2', caFile: '/etc/ca.pem' })
  expect(shared.hosts).toEqual([
    { host: 'one', port: 2113 },
    { host: 'two', port: 2114 },
  ])
})

it.for([
  ['esdb://a,b/shop2?tls=false', 'esdb://a,b?tls=false&x=1'],
  ['esdb://a/', 'esdb://a?x=1'],
  ['esdb://a?tls=false&tlsCAFile=/etc/ca.pem', 'esdb://a?tls=false&tlsCAFile=/etc/ca.pem&x=1'],
] as const)('the driver gets an address without the name of the shop: %s', ([url, given]) => {
  expect(withSettings(url, { x: 1 })).toBe(given)
})

it.for<[url: string, why: RegExp]>([
  ['kurrentdb://shop:hunter2@host', /write esdb:\/\/ instead/],
  ['kurrentdb+discover://host', /write esdb:\/\/ instead/],
  ['http://host:2113', /must be an address like esdb:\/\//],
  ['esdb://', /must be an address like/],
  ['esdb://shop:hunter2@', /must be an address like/],
  ['esdb://ho st?tls=false', /host that cannot be read/],
  ['esdb://shop:hunter2@host/my-shop', /letters, digits and underscores/],
  ['esdb://shop:hunter2@host/a/b', /letters, digits and underscores/],
  ['esdb://host:99999?tls=false', /host that cannot be read/],
  ['esdb+discover://shop:hunter2@one,two', /several hosts/],
  ['esdb://host:2113', /no user.*tls=false/],
  ['esdb://shop:hunter2@host?tls=no', /tls neither true nor false/],
  ['esdb://shop:hunter2@host?tlsVerifyCert=false', /tlsCAFile/],
  ['esdb://shop:hunter2%@host', /encodes nothing/],
  ['esdb://shop:hunter2@host,10.0.0.2', /by its IP address/],
  ['esdb://shop:hunter2@[::1]:2113', /by its IP address/],
])('an address of an EventStoreDB is rejected in one line without its password: %s', ([url, why]) => {
  expect(wrongAddress(url)).toMatch(why)
  expect(wrongAddress(url)).not.toContain('hunter2')
})
