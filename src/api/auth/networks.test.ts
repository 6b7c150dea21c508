import { expect, it } from 'vitest'
import { networksOf } from './networks.ts'

it.for([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['::FFFF:c000:207', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['20010db800010002/64', '20010db8000100/56', '20010db80001/48']],
  ['2001:0DB8:0001:a2ff::1', ['20010db80001a2ff/64', '20010db80001a2/56', '20010db80001/48']],
  ['fe80::1%eth0', ['fe80000000000000/64', 'fe800000000000/56', 'fe8000000000/48']],
  ['not an address', ['unknown']],
  [undefined, ['unknown']],
] as const)('the address %s counts in %s', ([ip, networks]) => {
  expect(networksOf(ip)).toEqual(networks)
})
