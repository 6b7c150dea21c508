import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ApiError, getFile, sayError, sayRefusalOr, Unreachable } from './client.ts'

async function addressOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it('describes a refusal by its status and body, and shows its sentence', () => {
  const refused = new ApiError(409, '{"code":"order/not-pending","message":"It is over."}', 'Conflict')
  expect(refused).toMatchObject({ message: '409: {"code":"order/not-pending","message":"It is over."}', status: 409 })
  expect([refused.code, sayError(refused)]).toEqual(['order/not-pending', 'It is over.'])
  expect(new ApiError(502, '', 'Bad Gateway')).toMatchObject({ message: '502: Bad Gateway', code: 'http/502' })
})

it('gets a file whole, by its name', async () => {
  const address = await addressOf((_request, response) =>
    response.setHeader('Content-Disposition', 'attachment; filename="orders.csv"').end('one\ntwo\n'),
  )
  const { name, content } = await getFile(address)
  expect({ name, text: await content.text() }).toEqual({ name: 'orders.csv', text: 'one\ntwo\n' })
})

it('never takes half a file for a file', async () => {
  const address = await addressOf((_request, response) => response.write('one\n', () => response.destroy()))
  await expect(getFile(address).catch(sayError)).resolves.toBe('The file broke off. Please save it again.')
})

it('asks to try again only where that may help', () => {
  const ended = new ApiError(409, '{"code":"order/not-pending","message":"It can no longer be paid."}', 'Conflict')
  const down = new ApiError(500, '', 'Internal Server Error')
  const said = [ended, down, new Unreachable('lost')].map((error) => sayRefusalOr('Please try again.', error))
  expect(said).toEqual(['It can no longer be paid.', 'Please try again.', 'Please try again.'])
})
