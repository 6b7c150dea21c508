import { expect, it } from 'vitest'
import { startProviderShop } from '../../testing/start-provider-shop.ts'

it('a webhook of one payment is looked at once in a while, and the workers find what was not looked at', async () => {
  const shop = await startProviderShop('upigateway')
  const { orderId, paymentId } = await shop.opened()
  for (let turn = 0; turn < 20; turn += 1) expect(await shop.hook(shop.double.webhook(paymentId))).toBe(200)
  expect(shop.double.calls.filter(({ path }) => path.endsWith('/check_order_status'))).toHaveLength(1)
  expect(await shop.metrics()).toContain('result="limited"} 19')
  expect(await shop.double.act(paymentId, { do: 'pay' })).toEqual([200])
  await shop.work(orderId)
  expect((await shop.order(orderId))['paymentStatus']).toBe('completed')
  await shop.stop()
})
