import { once } from 'node:events'
import { request } from 'node:http'
import express, { type Response } from 'express'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withoutKeys } from '../../ports/one-line.ts'
import { listening } from '../../ports/testing/listening.ts'
import { keptLog } from '../../testing/kept-log.ts'
import { requestLog, shownPath } from './request-log.ts'

const ORDER_ID = '7f8d5c9e-0000-4000-8000-000000000001'

it('lines of the log about one order share a key that is not its id', () => {
  const [one, two] = [withoutKeys(`order-${ORDER_ID} is busy`), shownPath(`/api/orders/${ORDER_ID.toUpperCase()}`)]
  expect(one + two).not.toMatch(/7f8d5c9e|000000000001/i)
  const [ofOne, ofTwo] = [one, two].map((text) => /#[0-9a-f]{12}/.exec(text)?.[0])
  expect(ofOne).toBeDefined()
  expect(ofTwo).toBe(ofOne)
})

it('the log does not contain references, which lead to orders', () => {
  expect(shownPath('/pay/ABCDEFGHIJKLMNOPQRSTUVWXYZ2345')).toMatch(/^\/pay\/#[0-9a-f]{12}$/)
})

it('a request whose caller leaves is counted as aborted, and logged when it was slow', async () => {
  const lines: Record<string, unknown>[] = []
  const logger = pino(
    { base: null },
    { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) },
  )
  const registry = new Registry()
  const arrived = Promise.withResolvers<Response>()
  const app = express()
  app.use(requestLog(logger, registry))
  app.get('/api/orders/:id', (_request, response) => arrived.resolve(response))
  const port = await listening(app)
  const now = vi.spyOn(performance, 'now')
  const call = request({ port, path: `/api/orders/${ORDER_ID}` }).on('error', () => undefined)
  call.end()
  const response = await arrived.promise
  const isClosed = once(response, 'close')
  now.mockImplementation(() => 1e9)
  call.destroy()
  await isClosed
  now.mockRestore()
  expect(await registry.metrics()).toContain('_count{method="GET",route="/api/orders/:id",status="aborted"} 1')
  expect(lines).toMatchObject([{ level: 40, path: '/api/orders/:id', msg: 'a request was aborted by its caller' }])
  expect(lines[0]).not.toHaveProperty('status')
})

it('the log names each reason for a retry once, and after a minute how often it happened', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app = express().use(requestLog(logger, new Registry()))
  app.get('/:why', ({ params }, response) => {
    const error = params.why === 'refused' ? new TypeError('wrong key') : new Error('no server')
    response.locals.problem = { code: 'provider/away', error }
    response.status(503).end()
  })
  const port = await listening(app)
  for (const why of ['away', 'away', 'refused', 'away']) await fetch(`http://127.0.0.1:${port}/${why}`)
  expect(lines).toMatchObject([
    { code: 'provider/away', why: 'Error: no server', msg: 'a request must be retried' },
    { code: 'provider/away', why: 'TypeError: wrong key', msg: 'a request must be retried' },
  ])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(2)).toMatchObject([{ answers: { 'provider/away Error': 3, 'provider/away TypeError': 1 } }])
})

it('refusals to strangers are counted, refusals to staff are logged', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { lines, logger } = keptLog()
  const app = express().use(requestLog(logger, new Registry()))
  app.get('/:who', ({ params }, response) => {
    response.locals.isStaff = params.who === 'staff'
    if (params.who !== 'file') response.locals.problem = { code: 'request/invalid', error: undefined }
    response.status(404).end()
  })
  const port = await listening(app)
  for (const who of ['stranger', 'stranger', 'file', 'staff', 'staff']) await fetch(`http://127.0.0.1:${port}/${who}`)
  const refused = { level: 30, code: 'request/invalid', status: 404, msg: 'a request was refused' }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([refused, refused])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(2).map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { refused: { 'request/invalid': 2, 404: 1 }, msg: 'requests were refused in the last minute' },
  ])
})
