import { expect, it } from 'vitest'
import {
  adminStream,
  categories,
  ERASED_STREAM,
  orderStream,
  PRODUCTS_STREAM,
  receiptStreamOf,
  SETTINGS_STREAM,
  SHOP_STREAM,
  STOCK_STREAM,
} from '../../domain/stream-names.ts'
import { serverStreams } from './eventstoredb-streams.ts'

const receipt = receiptStreamOf({ provider: 'paypal', receiptHash: 'hash' })
const one = [STOCK_STREAM, SETTINGS_STREAM, PRODUCTS_STREAM, SHOP_STREAM, ERASED_STREAM]

it.for(['', 'shop2'])('every stream of the shop is read from a server, with the prefix "%s"', (prefix) => {
  const streams = serverStreams(prefix, categories)
  for (const stream of [...one, orderStream('1'), adminStream('owner'), receipt])
    expect(streams.ownName(streams.serverName(stream))).toBe(stream)
})

it('streams of others on the server are skipped', () =>
  expect(serverStreams('', categories).ownName('invoice-1')).toBeUndefined())
