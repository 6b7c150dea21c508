import { describe, expect, it } from 'vitest'
import { attentionReasons } from '../domain/order/events.ts'
import { chosen, minute, placed } from '../domain/testing/order-samples.ts'
import { isOrderEvent } from './order-events.ts'
import { timelineAfter, TIMELINE_MAX, type TimelineEntry } from './order-timeline.ts'
import { recorded } from './testing/clean-fold.ts'
import { samples } from './testing/samples.ts'

const events = recorded(...Object.values(samples)).filter(isOrderEvent)

describe("an order's timeline", () => {
  it.for(events.map((event) => [event.type, event] as const))('tells %s in a sentence', ([type, event]) => {
    expect(timelineAfter([], event)).toEqual([
      { type, at: event.data.at, actor: 'buyer', text: expect.stringMatching(/^[A-Z0-9].*\.$/) as unknown },
    ])
  })

  it('tells what was ordered and what came', () => {
    const texts = new Map(events.map((event) => [event.type, timelineAfter([], event)[0]?.text]))
    expect(texts.get('OrderPlaced')).toBe('Order of 200M placed for 10.00 USD.')
    expect(texts.get('PaymentReceived')).toBe('10.00 USD received.')
  })

  it('never tells who the buyer is, nor a key', () => {
    const told = JSON.stringify(events.map((event) => timelineAfter([], event)))
    for (const secret of ['sealed', 'hash-1', 'customer-1', 'ltc1', 'REF-1', 'owner'])
      expect(told).not.toContain(secret)
  })

  it('keeps how it began and the newest', () => {
    const times = Array.from({ length: 2 * TIMELINE_MAX }, (_, index) => minute(index))
    let timeline: readonly TimelineEntry[] = []
    for (const event of recorded(placed(), ...times.map((at) => chosen('upi', at))).filter(isOrderEvent))
      timeline = timelineAfter(timeline, event)
    expect(timeline).toHaveLength(TIMELINE_MAX)
    expect(timeline[0]?.type).toBe('OrderPlaced')
    expect(timeline.at(-1)?.at).toBe(times.at(-1))
  })

  it('has no reason for attention that begins with another one, so that each is found alone', () => {
    for (const reason of attentionReasons)
      expect(attentionReasons.filter((other) => other.startsWith(reason))).toEqual([reason])
  })
})
