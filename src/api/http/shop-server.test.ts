import { expect, it, onTestFinished } from 'vitest'
import { listening } from './listening.ts'
import { giveTo, shopServer } from './shop-server.ts'

it('says that the shop is starting until it is given one', async () => {
  const server = shopServer()
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${await listening(server, 0, '127.0.0.1')}`
  const early = await fetch(`${url}/readyz`)
  expect([early.status, early.headers.get('retry-after'), await early.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'shop/starting' }),
  ])
  giveTo(server, (_request, response) => void response.end('open'))
  expect(await (await fetch(url)).text()).toBe('open')
})
