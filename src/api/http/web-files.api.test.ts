import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

const asBrowser = { headers: { accept: 'text/html' } }

describe('pages made for one screen', () => {
  let folder: string
  let shop: TestShop

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinshop-web-'))
    await mkdir(join(folder, 'screens/order'), { recursive: true })
    await writeFile(join(folder, 'index.html'), 'any screen')
    await writeFile(join(folder, 'screens/index.html'), 'the counter')
    await writeFile(join(folder, 'screens/purchase.html'), 'the first step')
    await writeFile(join(folder, 'screens/order/_.html'), 'an order')
    shop = await startShop({ config: { webFolder: folder } })
  })

  afterAll(async () => {
    await shop.stop()
    await rm(folder, { recursive: true })
  })

  const pageAt = async (path: string) => (await fetch(`${shop.url}${path}`, asBrowser)).text()

  const linkAt = async (path: string) => (await fetch(`${shop.url}${path}`, asBrowser)).headers.get('link')

  it('are what their address opens, whichever order it names', async () => {
    expect(await pageAt('/')).toBe('the counter')
    expect(await pageAt('/purchase')).toBe('the first step')
    expect(await pageAt('/order/0198')).toBe('an order')
  })

  it('leave every other address to the page of all screens', async () => {
    for (const path of ['/purchase?step=2', '/purchase?', '/order', '/order/0198/confirm', '/screens/index.html'])
      expect(await pageAt(path)).toBe('any screen')
  })

  it('have the browser ask for the order that they are about at once', async () => {
    const id = '01980000-0000-7000-8000-00000000000a'
    const link = `</api/orders/${id}>; rel=preload; as=fetch; crossorigin=use-credentials`
    for (const path of [`/order/${id}`, `/order/${id}/payment?method=upi`, `/checkout/${id}`, `/order/${id}/`])
      expect(await linkAt(path)).toBe(link)
    for (const path of ['/', '/order', '/order/0198', '/order/%3E;rel=x', `/purchase/${id}`, `/order/x${id}`])
      expect(await linkAt(path)).toBeNull()
  })
})
