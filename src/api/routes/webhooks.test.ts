import { connect } from 'node:net'
import express from 'express'
import { Registry } from 'prom-client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keptLog } from '../../testing/kept-log.ts'
import { requestLog } from '../http/request-log.ts'
import { listening } from '../../ports/testing/listening.ts'
import { webhookRoutes } from './webhooks.ts'

it('rejected webhooks are logged as one line a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { lines, logger } = keptLog()
  const registry = new Registry()
  const handlers = {
    paypal: async () => ({ status: 401, text: 'no', result: Promise.resolve('unsigned') }),
    crypto: async () => ({ status: 200, text: 'ok', result: Promise.resolve('taken') }),
  }
  const app = express().use(
    requestLog(logger, registry),
    webhookRoutes(handlers, { registry, hasRateLimits: true, logger }),
  )
  const port = await listening(app)
  const send = async (provider: string, body = '{}') => {
    const address = `http://127.0.0.1:${port}/api/webhooks/${provider}`
    return (await fetch(address, { method: 'POST', body })).status
  }
  for (let count = 0; count < 10; count += 1) expect(await send('paypal')).toBe(401)
  expect(await send('crypto')).toBe(200)
  expect(await send('paypal', 'x'.repeat(200_000))).toBe(413)
  vi.advanceTimersByTime(59_999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { msg: 'webhooks were refused in the last minute', refused: { 'paypal: unsigned': 10, 'paypal: malformed': 1 } },
  ])
  vi.advanceTimersByTime(120_000)
  expect(lines).toHaveLength(1)
})

const taken = async () => ({ status: 200, text: 'ok', result: Promise.resolve('taken') })

const head = (from: string) =>
  `POST /api/webhooks/crypto HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: ${from}\r\nContent-Length: 2\r\n\r\n`

async function limitedWebhooks() {
  const { logger } = keptLog()
  const app = express().set('trust proxy', 1)
  app.use(webhookRoutes({ crypto: taken }, { registry: new Registry(), hasRateLimits: true, logger }))
  const port = await listening(app)
  return {
    send: async (from: string) => {
      const address = `http://127.0.0.1:${port}/api/webhooks/crypto`
      return (await fetch(address, { method: 'POST', body: '{}', headers: { 'X-Forwarded-For': from } })).status
    },
    /** Sends the headers and half of the body. The status is undefined until it is answered. */
    begin: (from: string) => {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const begun = { status: undefined as number | undefined, end: () => void socket.write('}') }
      socket.on('data', (data: Buffer) => (begun.status ??= Number(data.toString().slice(9, 12))))
      socket.write(`${head(from)}{`)
      return begun
    },
  }
}

it('webhooks from the networks of one IPv6 customer count together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { send } = await limitedWebhooks()
  const statuses: number[] = []
  for (let network = 0; network < 6; network += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 250 }, async () => send(`2001:db8:1:${network}::1`)))))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1_200)
  expect(await send('192.0.2.1')).toBe(200)
})

it('slow webhook bodies take a bounded number of places of their network and in all', async () => {
  const { send, begin } = await limitedWebhooks()
  const ofOne = Array.from({ length: 60 }, () => begin('192.0.2.1'))
  const limited = () => ofOne.filter(({ status }) => status === 429).length
  await expect.poll(limited).toBe(10)
  expect(await send('192.0.2.1')).toBe(429)
  expect(await send('192.0.2.2')).toBe(200)
  const others = Array.from({ length: 10 }, (_, number) =>
    Array.from({ length: 46 }, () => begin(`192.0.2.${number + 10}`)),
  )
  await expect.poll(() => others.flat().filter(({ status }) => status === 429).length).toBe(10)
  for (const begun of [...ofOne, ...others.flat()]) begun.end()
  await expect.poll(async () => send('192.0.2.1')).toBe(200)
  expect(limited()).toBe(10)
})
