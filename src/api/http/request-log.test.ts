import { describe, expect, it } from 'vitest'
import { shownPath, withoutKeys } from './request-log.ts'

const ORDER_ID = '7f8d5c9e-0000-4000-8000-000000000001'

describe('what the log says of an order', () => {
  it('gives two lines about one order the same key, never its id', () => {
    const [one, two] = [withoutKeys(`order-${ORDER_ID} is busy`), shownPath(`/api/orders/${ORDER_ID.toUpperCase()}`)]
    expect(one + two).not.toMatch(/7f8d5c9e|000000000001/i)
    const [ofOne, ofTwo] = [one, two].map((text) => /#[0-9a-f]{12}/.exec(text)?.[0])
    expect(ofOne).toBeDefined()
    expect(ofTwo).toBe(ofOne)
  })

  it('leaves out the reference, which leads to the order', () => {
    expect(shownPath('/pay/ABCDEFGHIJKLMNOPQRSTUVWXYZ-1')).toMatch(/^\/pay\/#[0-9a-f]{12}$/)
  })

  it('gives two orders different keys', () => {
    expect(withoutKeys(ORDER_ID)).not.toBe(withoutKeys(ORDER_ID.replace(/1$/, '2')))
  })

  it('leaves everything else as it stands', () => {
    expect(withoutKeys('EventStoreAway: disk full')).toBe('EventStoreAway: disk full')
  })
})
