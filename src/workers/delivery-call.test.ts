import { createHmac } from 'node:crypto'
import { type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freePort } from '../ports/testing/free-port.ts'
import { listening } from '../ports/testing/listening.ts'
import { DeliveryUnanswered, deliveryCall } from './delivery-call.ts'

const ORDER_ID = '7f8d5c9e-0000-4000-8000-000000000001'
const NOW_MS = Date.parse('2026-01-01T00:00:00.500Z')
const delivery = {
  orderId: ORDER_ID,
  orderNumber: '0000007X',
  quantityM: 120,
  marketIds: [
    { marketId: '12345678', amountM: 50 },
    { marketId: '23456789', amountM: 50 },
    { marketId: '34567890', amountM: 20 },
  ],
  discordUsername: 'ash "é"',
}

interface Seen {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A local bot, and the requests it received, in order. */
async function botThat(answers: RequestListener): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const port = await listening((request, response) => {
    const heard = async (): Promise<void> => {
      const { method, url: path, headers } = request
      seen.push({ method, path, headers, body: await text(request) })
      answers(request, response)
    }
    void heard()
  })
  return { url: `http://127.0.0.1:${port}/give`, seen }
}

function callTo(url: string, secret = 'a long enough secret', timeoutMs?: number) {
  const clock = { now: () => NOW_MS, sleep: async () => undefined }
  return deliveryCall({ url, secret, clock, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
}

it.for([
  ['text', 'a long enough secret', Buffer.from('a long enough secret')],
  ['base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
] as const)('a delivery call is signed by Standard Webhooks, with a secret in %s', async ([, secret, key]) => {
  const { url, seen } = await botThat((_request, response) => response.writeHead(204).end())
  await callTo(url, secret)(delivery)
  const [call] = seen
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = call?.headers ?? {}
  expect([id, timestamp]).toEqual([ORDER_ID, '1767225600'])
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${call?.body}`)
    .digest('base64')
  expect(signature).toBe(`v1,${expected}`)
})

it('a delivery call says what to give to whom, under an idempotency key', async () => {
  const { url, seen } = await botThat((_request, response) => response.writeHead(200).end('{}'))
  await callTo(url)(delivery)
  await callTo(url)(delivery)
  expect(seen).toHaveLength(2)
  for (const { method, path, headers, body } of seen) {
    expect([method, path, headers['idempotency-key'], headers['content-type']]).toEqual([
      'POST',
      '/give',
      ORDER_ID,
      'application/json',
    ])
    expect(JSON.parse(body)).toEqual({
      type: 'order.deliver',
      orderId: ORDER_ID,
      orderNumber: '0000007X',
      quantityM: 120,
      marketIds: [
        { marketId: '12345678', amount: 50 },
        { marketId: '23456789', amount: 50 },
        { marketId: '34567890', amount: 20 },
      ],
      discordUsername: 'ash "é"',
    })
  }
})

it.for([400, 409, 500, 503])('status %i does not confirm a delivery', async (status) => {
  const { url } = await botThat((_request, response) => response.writeHead(status).end('no'))
  await expect(callTo(url)(delivery)).rejects.toThrow(`the delivery webhook answered ${status}`)
})

it('a delivery call follows no redirect', async () => {
  const { url: elsewhere, seen } = await botThat((_request, response) => response.writeHead(200).end())
  const { url } = await botThat((_request, response) => response.writeHead(307, { location: elsewhere }).end())
  await expect(callTo(url)(delivery)).rejects.toBeInstanceOf(DeliveryUnanswered)
  expect(seen).toEqual([])
})

it('a delivery call gives up when the bot takes too long', async () => {
  const { url, seen } = await botThat(() => undefined)
  await expect(callTo(url, 'a long enough secret', 1_000)(delivery)).rejects.toBeInstanceOf(DeliveryUnanswered)
  await expect.poll(() => seen).toHaveLength(1)
})

it('the error of a delivery call contains no address, secret or buyer', async () => {
  const url = `http://127.0.0.1:${await freePort()}/give`
  const failure = await callTo(`${url}?token=hush`)(delivery).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DeliveryUnanswered)
  expect(String(failure)).not.toMatch(/hush|127\.0\.0\.1|ash|7f8d5c9e/)
})
