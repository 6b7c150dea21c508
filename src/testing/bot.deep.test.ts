import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { deliveryRequest } from '../api/contract/delivery.ts'
import { freePort } from '../ports/testing/free-port.ts'
import { listening } from '../ports/testing/listening.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { DeliveryUnanswered, deliveryCall } from '../workers/delivery-call.ts'

const secret = `whsec_${Buffer.from('a secret of some thirty-two bytes').toString('base64')}`
const clock = { now: () => Date.now(), sleep: async () => undefined }
const delivery = {
  orderId: '7f8d5c9e-0000-4000-8000-000000000001',
  orderNumber: '0000007X',
  quantityM: 60,
  marketIds: [
    { marketId: '12345678', amountM: 50 },
    { marketId: '23456789', amountM: 10 },
  ],
  discordUsername: 'ash "é"',
}

/** Runs the bot of the page, and keeps its output. */
async function botOfPage(): Promise<{ url: string; said: string[] }> {
  const page = readFileSync(new URL('../../docs/bot.md', import.meta.url), 'utf8')
  const [, program = ''] = /```js\n([^]*?)```/.exec(page) ?? []
  const folder = testFolder()
  writeFileSync(join(folder, 'bot.mjs'), program)
  const port = await freePort()
  const env = { DELIVERY_WEBHOOK_SECRET: secret, PORT: String(port) }
  const bot = spawn(process.execPath, ['bot.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void bot.kill())
  const said: string[] = []
  bot.stdout.on('data', (text: Buffer) => said.push(...text.toString().trim().split('\n')))
  const url = `http://127.0.0.1:${port}/`
  await expect
    .poll(async () =>
      fetch(url, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401)
  return { url, said }
}

it('the bot of docs/bot.md delivers a signed call once, and no other call', async () => {
  const { url, said } = await botOfPage()
  const call = deliveryCall({ url, secret, clock })
  await Promise.all([call(delivery), call(delivery)])
  await call(delivery)
  expect(said).toEqual(['0000007X: 50M to 12345678', '0000007X: 10M to 23456789'])
  const forged = deliveryCall({ url, secret: 'another secret, which is long enough', clock })
  const stale = deliveryCall({ url, secret, clock: { ...clock, now: () => Date.now() - 600_000 } })
  for (const refused of [forged, stale])
    await expect(refused({ ...delivery, orderId: 'another' })).rejects.toThrow(DeliveryUnanswered)
  expect(said).toHaveLength(2)
})

it('a delivery call has the fields of the API description', async () => {
  const received = Promise.withResolvers<unknown>()
  const port = await listening((request, response) => {
    response.end()
    received.resolve(json(request))
  })
  await deliveryCall({ url: `http://127.0.0.1:${port}/`, secret, clock })(delivery)
  const body = await received.promise
  expect(z.parse(deliveryRequest, body)).toEqual(body)
})
