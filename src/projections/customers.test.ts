import { expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import type { Buyer, Personal } from '../log/event-log.ts'
import { type CustomerDocument, customersProjection } from './customers.ts'
import { recorded } from '../projector/testing/clean-fold.ts'
import { samples } from './testing/samples.ts'

const [ordered, erased] = recorded(placed(), samples.CustomerErased)

function after(
  event: typeof ordered,
  standing: { body?: CustomerDocument; isTombstone?: boolean; opened?: Buyer },
): CustomerDocument | undefined {
  const { body, isTombstone = false, opened } = standing
  return event && customersProjection.evolve({ id: 'customer-1', body, isTombstone, opened }, event)
}

function buyer(customerEmail: string, discordUsername: string): Personal {
  return { customerEmail, discordUsername, marketIds: [{ marketId: '12345678', amountM: 200 }] }
}

function withIdsFrom(first: number): Personal {
  const marketIds = Array.from({ length: 600 }, (_, index) => ({ marketId: String(first + index), amountM: 50 }))
  return { ...buyer('ash@example.org', 'ash'), marketIds }
}

it('OrderPlaced makes a customer findable by e-mail and chat name in any spelling', () => {
  const document = after(ordered, { opened: buyer(' Ash@Example.org ', 'Ash_K') })
  expect(document).toEqual({ terms: ['ash@example.org', 'ash_k'], marketIds: ['12345678'] })
})

it('OrderPlaced with an empty text adds no search term for it', () =>
  expect(after(ordered, { opened: buyer('ash@example.org', '') })?.terms).toEqual(['ash@example.org']))

it('OrderPlaced keeps the newest thousand market ids of a customer', () => {
  const first = after(ordered, { opened: withIdsFrom(10_000_000) })
  const body = after(ordered, { ...(first && { body: first }), opened: withIdsFrom(20_000_000) })
  expect(body?.marketIds).toHaveLength(1_000)
  expect(body?.marketIds).toEqual(expect.arrayContaining(['20000000', '20000599', '10000599']))
  expect(body?.marketIds).not.toContain('10000000')
  expect(body?.terms).toEqual(['ash@example.org', 'ash'])
})

it('OrderPlaced changes nothing for known names', () => {
  const opened = buyer('ash@example.org', 'ash')
  const body = after(ordered, { opened })
  expect(after(ordered, { ...(body && { body }), opened })).toBe(body)
})

it('OrderPlaced keeps the newest chat names of a customer, twenty terms in all', () => {
  let body: CustomerDocument | undefined
  for (let order = 0; order < 30; order += 1)
    body = after(ordered, { ...(body && { body }), opened: buyer('ash@example.org', `name-${order % 25}`) })
  expect(body?.terms).toHaveLength(20)
  expect(body?.terms.slice(-2)).toEqual(['ash@example.org', 'name-4'])
  expect(body?.terms).not.toContain('name-10')
})

it('OrderPlaced keeps nothing of an erased customer', () => {
  expect(after(ordered, { opened: 'erased' })).toBeUndefined()
})

it('OrderPlaced marks a customer whose key is missing and keeps known names', () => {
  const unread = after(ordered, { opened: 'unreadable' })
  expect(unread).toEqual({ terms: [], isUnread: true })
  const known = after(ordered, { ...(unread && { body: unread }), opened: buyer('ash@example.org', 'ash') })
  expect(known).toEqual({ terms: ['ash@example.org', 'ash'], marketIds: ['12345678'], isUnread: true })
  expect(after(ordered, { ...(known && { body: known }), opened: 'unreadable' })).toBe(known)
})

it('CustomerErased removes the customer', () => {
  expect(after(erased, { body: { terms: ['ash@example.org'] } })).toBeUndefined()
})

it('OrderPlaced does not bring back a customer who was erased meanwhile', () => {
  expect(after(ordered, { isTombstone: true, opened: buyer('ash@example.org', 'ash') })).toBeUndefined()
})

it('the customers view opens only placed orders', () => {
  for (const event of recorded(...Object.values(samples)))
    expect(customersProjection.opens?.(event)).toBe(event.type === 'OrderPlaced')
})
