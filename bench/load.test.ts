import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drive, LoadFailed } from './load.ts'

let server: Server
let url: string
let answered = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    answered += 1
    response.statusCode = request.url === '/refused' ? 503 : 200
    response.end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

describe('a load', () => {
  it('waits for every answer', async () => {
    answered = 0
    const result = await drive({ url, until: { amount: 200 } })
    expect([result.answered, answered]).toStrictEqual([200, 200])
    expect(result.p99).toBeGreaterThanOrEqual(0)
  })

  it('fails when a request is refused', async () => {
    const refused = drive({ url: `${url}/refused`, until: { amount: 10 } })
    await expect(refused).rejects.toThrow(LoadFailed)
    await expect(refused).rejects.toThrow(/10 times status 503/)
  })
})
