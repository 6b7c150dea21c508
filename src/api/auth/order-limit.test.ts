import { expect, it } from 'vitest'
import type { PlaceOrderResult } from '../../commands/place-order.ts'
import { memoryLimitStore } from './limit-store.ts'
import { orderLimit } from './order-limit.ts'

const customer = { emailHmac: 'h' }
const placed = (orderId: string, isReplay = false) =>
  ({ order: { placed: { orderId } }, position: '1', isReplay }) as PlaceOrderResult

function limited() {
  const limit = orderLimit(memoryLimitStore(), { orderTtlMinutes: 60 })
  const place = async (orderId: string) =>
    limit.within('192.0.2.1', async (onQuoted) => {
      await onQuoted(customer)
      return placed(orderId)
    })
  return { limit, place }
}

it('counts no order that was not placed', async () => {
  const { limit, place } = limited()
  for (let tries = 0; tries < 20; tries += 1) {
    const failing = limit.within('192.0.2.1', async (onQuoted) => {
      await onQuoted(customer)
      throw new Error('the vault is away')
    })
    await expect(failing).rejects.toThrow('the vault is away')
  }
  for (const id of ['1', '2', '3', '4', '5']) expect((await place(id)).isReplay).toBe(false)
  await expect(place('6')).rejects.toThrow('too many unpaid orders')
})

it('counts no repeat, and no place twice', async () => {
  const { limit, place } = limited()
  for (let tries = 0; tries < 20; tries += 1)
    await limit.within('192.0.2.1', async (onQuoted) => {
      await onQuoted(customer)
      return placed('1', true)
    })
  for (const id of ['1', '2', '3', '4', '5']) await place(id)
  limit.end('1')
  limit.end('1')
  limit.end('unknown')
  await place('6')
  await expect(place('7')).rejects.toThrow('too many unpaid orders')
})
