import { expect, it } from 'vitest'
import { networksOf } from './networks.ts'
import { placeOf } from './session-place.ts'

const placeIn = (agent: string | undefined, address: string) =>
  placeOf({ networks: networksOf(address), header: () => agent })

it.for([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/138.0 Safari/537.36', 'Chrome on macOS'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 Safari/537.36 Edg/138.0', 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/138.0 Safari/537.36 OPR/120.0', 'Opera on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1 CriOS/138.0 Safari/604.1', 'Chrome on iOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1', 'Safari on iOS'],
  ['Firefox', 'Firefox'],
  ['curl/8.5.0', 'Not a browser'],
  [undefined, 'Not a browser'],
] as const)('%s is shown as %s', ([agent, name]) => expect(placeIn(agent, '192.0.2.1').browser).toBe(name))

it.for([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:7:1::9', '2001:0db8:0007::/48'],
  ['junk', 'unknown'],
] as const)('the address %s is kept as %s', ([address, network]) =>
  expect(placeIn(undefined, address).network).toBe(network),
)
