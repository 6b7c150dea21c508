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
