import { expect, it } from 'vitest'
import { shopServer } from './shop-server.ts'

it('the server limits half-sent requests and connections', () => {
  const { server } = shopServer(() => undefined)
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 10_000 })
})
