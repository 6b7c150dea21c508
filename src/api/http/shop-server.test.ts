import { expect, it } from 'vitest'
import { shopServer } from './shop-server.ts'

it('bounds what half-sent requests and many connections can hold', () => {
  const { server } = shopServer(() => undefined)
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 10_000 })
})
