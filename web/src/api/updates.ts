import type { Update } from '#contract/updates.ts'
import { useEffect } from 'react'
import { mutate } from 'swr'
import { expectPosition } from './client.ts'
import { orderKey } from './orders.ts'
import { pricingKey } from './pricing.ts'
import { productsKey } from './products.ts'
import { settingsKey } from './settings.ts'

type Topic = 'pricing' | 'settings' | 'products' | 'staff'

interface Wish {
  readonly topics: readonly Topic[]
  readonly orderId: string | undefined
}

/** Which answers a topic makes old. Staff lists have many keys; whoever shows them says which. */
const keysOfTopic: Record<string, readonly string[]> = {
  pricing: [pricingKey],
  settings: [settingsKey],
  products: [productsKey],
}

const wishes = new Set<Wish>()
const staffListeners = new Set<(position?: string) => void>()
let source: EventSource | undefined
let sourceAddress = ''
let wasLost = false

/**
 * Keeps the page's one push connection open for these topics. It only makes answers that a screen shows be asked for
 * again, so that losing it costs nothing but freshness.
 */
export function useUpdates(topics: readonly Topic[], orderId?: string): void {
  const names = topics.join(',')
  useEffect(() => {
    const wish: Wish = { topics: names === '' ? [] : (names.split(',') as Topic[]), orderId }
    wishes.add(wish)
    const timer = setTimeout(connect)
    return () => {
      clearTimeout(timer)
      wishes.delete(wish)
      setTimeout(connect)
    }
  }, [names, orderId])
}

/** Calls back when something changed that only staff see, and when it may have. */
export function useStaffUpdates(onChange: (position?: string) => void): void {
  useUpdates(['staff'])
  useEffect(() => {
    staffListeners.add(onChange)
    return () => void staffListeners.delete(onChange)
  }, [onChange])
}

function connect(): void {
  const address = document.visibilityState === 'visible' ? wantedAddress() : ''
  if (address === sourceAddress && source?.readyState !== EventSource.CLOSED) return
  source?.close()
  source = undefined
  sourceAddress = address
  if (address === '') return
  source = new EventSource(address)
  source.addEventListener('message', (event: MessageEvent<string>) => received(event.data))
  source.addEventListener('error', () => (wasLost = true))
  source.addEventListener('open', () => {
    if (wasLost) void mutate(() => true)
    // What happened while it opened was told to nobody, and staff poll seldom.
    else for (const listener of staffListeners) listener()
    wasLost = false
  })
}

function wantedAddress(): string {
  const all = [...wishes]
  const topics = [...new Set(all.flatMap((wish) => wish.topics))].sort()
  const orderId = all.findLast((wish) => wish.orderId !== undefined)?.orderId
  if (topics.length === 0 && orderId === undefined) return ''
  const query = new URLSearchParams()
  if (orderId !== undefined) query.set('order', orderId)
  if (topics.length > 0) query.set('topics', topics.join(','))
  return `/api/updates?${query.toString()}`
}

function received(data: string): void {
  const { topic, position } = JSON.parse(data) as Update
  if (topic === 'staff') for (const listener of staffListeners) listener(position)
  const orderIds = [...wishes].flatMap((wish) => (wish.orderId === undefined ? [] : [wish.orderId]))
  const keys = keysOfTopic[topic] ?? orderIds.map(orderKey)
  for (const key of keys) {
    expectPosition(key, position)
    void mutate(key)
  }
}

// A hidden tab needs no freshness, and a browser opens only a few connections to one shop.
function heedVisibility(): void {
  if (document.visibilityState === 'hidden') wasLost = wasLost || source !== undefined
  connect()
}

if (!import.meta.env.SSR) document.addEventListener('visibilitychange', heedVisibility)
