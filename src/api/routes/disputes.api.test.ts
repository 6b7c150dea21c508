import { expect, it } from 'vitest'
import { orderBody, placedHere } from '../../testing/orders.ts'
import { providerOfTest, shopOfEach } from '../../testing/shops.ts'
import type { Order } from '../contract/order.ts'

const shop = shopOfEach({ env: { DELIVERY: 'staff' } })
const NOTE = 'Given to Misty at the fountain'

/** A paid order, the cookie of the browser that placed it, and a session of staff. */
async function paid() {
  const placed = await shop.post('/api/orders', orderBody({ paymentMethod: 'crypto' }))
  const orderId = String(placed.body['id'])
  const token = await shop.logIn()
  await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId })
  await shop.pay(orderId)
  const read = async (sent: Parameters<typeof shop.get>[1] = {}) => {
    await shop.caughtUp()
    return (await shop.get(`/api/orders/${orderId}`, sent)).body as unknown as Order
  }
  const deliver = async (noted: object) => shop.post('/api/process-order', { orderId, ...noted }, { token })
  const readers = { staff: { token }, buyer: placedHere(placed), 'with the link': {} }
  const notes = async () =>
    Promise.all(Object.values(readers).map(async (sent) => (await read(sent)).deliveryNote?.text ?? null))
  return { orderId, token, read, deliver, notes }
}

it('the note of a delivery is read by staff alone, and sealed in the log', async () => {
  const { orderId, deliver, notes } = await paid()
  expect((await deliver({ note: ` ${NOTE} ` })).status).toBe(200)
  expect(await notes()).toEqual([NOTE, null, null])
  const events = await shop.eventsOf(`order-${orderId}`)
  expect(events.at(-1)?.type).toBe('OrderCompleted')
  expect(JSON.stringify(events)).not.toContain('Misty')
})

it('a note that is shown is read by the browser that placed the order, and not with its link', async () => {
  const { deliver, notes } = await paid()
  await deliver({ note: NOTE, isNoteShown: true })
  expect(await notes()).toEqual([NOTE, NOTE, null])
})

it('a repeat changes neither the delivery nor its note, and none is needed', async () => {
  const { orderId, deliver, notes } = await paid()
  await deliver({})
  const { length } = await shop.eventsOf(`order-${orderId}`)
  expect((await deliver({ note: NOTE })).status).toBe(200)
  expect(await notes()).toEqual([null, null, null])
  expect(await shop.eventsOf(`order-${orderId}`)).toHaveLength(length)
})

it('a note with hidden characters, or of more than 500, is refused', async () => {
  const { deliver } = await paid()
  for (const note of ['x'.repeat(501), 'hid\u202Eden'])
    expect((await deliver({ note })).body['code']).toBe('request/invalid')
})

it('an erasure takes the note with it', async () => {
  const { deliver, read, token } = await paid()
  await deliver({ note: NOTE })
  await shop.caughtUp()
  await shop.post('/api/admin/erase-customer', { email: orderBody()['customerEmail'] }, { token })
  expect((await read({ token })).deliveryNote?.text).toBe('erased')
})

it('a dispute by webhook shows staff until when to answer, and how the payment is protected', async () => {
  const live = await providerOfTest('paypal')
  const { orderId, paymentId } = await live.opened({ paymentMethod: 'paypal' })
  await live.double.act(paymentId, { do: 'approve' })
  await live.capture(orderId, paymentId)
  expect(await live.double.act(paymentId, { do: 'dispute' })).toEqual([200])
  const order = (await live.get(`/api/orders/${orderId}`, { token: await live.logIn() })).body as unknown as Order
  const dueAt = new Date(live.now() + 10 * 86_400_000).toISOString()
  expect([order.attention?.reasons, order.attention?.dueAt]).toEqual([['disputed'], dueAt])
  expect(order.receipts?.map(({ sellerProtection }) => sellerProtection)).toEqual(['full'])
  const buyers = (await live.get(`/api/orders/${orderId}`)).body as unknown as Order
  expect([buyers.attention?.dueAt, buyers.receipts]).toEqual([undefined, undefined])
})
