import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drive, LoadFailed, wholeWalks } from './load.ts'
import { paced } from './paced-load.ts'

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
  it('waits for every answer, and tells of all of them', async () => {
    answered = 0
    const result = await drive({ url, connections: 8, until: { amount: 100 } })
    expect([result.answered, answered]).toStrictEqual([100, 100])
    expect(result.perSecond).toBeCloseTo(100 / result.seconds)
    expect(result.p50).toBeLessThanOrEqual(result.p95)
    expect(result.p95).toBeLessThanOrEqual(result.p99)
  })

  it('is not measured when it is refused', async () => {
    const refused = drive({ url: `${url}/refused`, connections: 2, until: { amount: 10 } })
    await expect(refused).rejects.toThrow(LoadFailed)
    await expect(refused).rejects.toThrow(/10 times status 503/)
  })

  it('ends on every connection with a whole walk', () => {
    expect(wholeWalks(100, { connections: 64, requestsEach: 2 })).toBe(256)
    expect(wholeWalks(128, { connections: 64, requestsEach: 3 })).toBe(384)
  })
})

describe('an even pace', () => {
  it('begins so many a second, and waits for all of them', async () => {
    let begun = 0
    let ended = 0
    await paced({ perSecond: 200, seconds: 0.5 }, async () => {
      begun += 1
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      ended += 1
    })
    expect(begun).toBeGreaterThan(80)
    expect(begun).toBeLessThanOrEqual(101)
    expect(ended).toBe(begun)
  })

  it('tells when one of them fails', async () => {
    const failing = paced({ perSecond: 100, seconds: 0.1 }, async () => {
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
  })
})
