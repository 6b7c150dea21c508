import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypes from 'openapi-typescript'
import { expect, it, onTestFinished } from 'vitest'
import { ADMIN_PASSWORD, ask } from './buyers.ts'
import { provisionWith } from './engine-sets.ts'
import { startShopProcess } from './shop-process.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

const run = promisify(execFile)
const ROOT = new URL('../../', import.meta.url).pathname

/** Uses only the OpenAPI description. */
const PROGRAM = `
import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'

const [baseUrl = '', password = ''] = process.argv.slice(2)
const shop = createClient<paths>({ baseUrl })

function answerOf<Body>({ data, error }: { data?: Body; error?: components['schemas']['Problem'] }): Body {
  if (data === undefined) throw new Error(error?.code)
  return data
}

const settings = answerOf(await shop.GET('/api/payment-settings'))
const totalAmount = (60 * settings.basePricePerMillion * (1 - settings.pack2Discount / 100)).toFixed(2)
const { id } = answerOf(
  await shop.POST('/api/orders', {
    params: { header: { 'Idempotency-Key': 'one' } },
    body: {
      customerEmail: 'ash@example.com',
      discordUsername: 'ash',
      marketId: '12345678',
      pokecoinAmount: 60,
      totalAmount,
      paymentMethod: 'crypto',
    },
  }),
)
const payment = await shop.POST('/api/crypto/create-payment', { body: { orderId: id, amount: totalAmount } })
if (answerOf(payment).payment_status !== 'waiting') throw new Error('nothing is to be paid')

const read = async () => answerOf(await shop.GET('/api/orders/{id}', { params: { path: { id } } }))
while (!(await read()).ready) await setTimeout(100)

const unasked = await shop.POST('/api/complete-payment', { body: { orderId: id } })
if (unasked.response.status !== 401) throw new Error('anybody may approve')
const login = answerOf(await shop.POST('/api/admin/login', { body: { email: 'owner@localhost', password } }))
const headers = { Authorization: \`Bearer \${login.token}\` }
const { orders } = answerOf(await shop.GET('/api/admin/to-deliver', { headers }))
for (const order of orders)
  answerOf(await shop.POST('/api/process-order', { headers, body: { orderId: order.id } }))
const { status, endedAs, pokecoinAmount } = await read()
process.stdout.write(JSON.stringify({ status, endedAs, pokecoinAmount }))
`

const tsconfig = {
  compilerOptions: { strict: true, noEmit: true, target: 'esnext', module: 'nodenext', types: ['node'] },
  include: ['program.ts'],
}

it('a program with generated types can place, pay and deliver an order', { timeout: 120_000 }, async () => {
  const place = await provisionWith({})
  onTestFinished(() => place.remove())
  const shop = await startShopProcess({ ...place.env, ADMIN_PASSWORD, DELIVERY: 'staff', SANDBOX_DELAY_MS: '100' })
  onTestFinished(() => shop.kill())
  const { body: description } = await ask(shop.url, 'GET', '/api/openapi.json')

  const folder = testFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  writeFileSync(join(folder, 'api.d.ts'), await openapiTypes(description as never))
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  const { stdout: faults } = await run(process.execPath, [join(ROOT, 'src/run.js'), 'tsc', '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(faults).toBe('')
  const { stdout } = await run(process.execPath, ['program.ts', shop.url, ADMIN_PASSWORD], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({ status: 'completed', endedAs: 'completed', pokecoinAmount: 60 })
})
