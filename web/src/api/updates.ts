import type { Update } from '#contract/updates.ts'
import { useEffect } from 'react'
import { mutate } from 'swr'
import { expectPosition } from './client.ts'
import { orderKey } from './orders.ts'
import { pricingKey, productsKey, settingsKey } from './settings.ts'
import { shopKey } from './shop.ts'

type Topic = 'pricing' | 'settings' | 'products' | 'staff'

/** The SWR keys that a topic revalidates. Staff lists have many keys: see `refreshStaff`. */
const keysOfTopic: Readonly<Record<string, readonly string[]>> = {
  // Sent only with a change of the settings, which hold the shop's name; `settings` comes with each sale, too.
  pricing: [pricingKey, shopKey],
  settings: [settingsKey],
  products: [productsKey],
}
const ORDER_TOPIC = 'order:'

export function keysOf(topic: string): readonly string[] {
  return topic.startsWith(ORDER_TOPIC) ? [orderKey(topic.slice(ORDER_TOPIC.length))] : (keysOfTopic[topic] ?? [])
}

const subscriptions = new Set<{ readonly topics: readonly Topic[]; readonly orderId: string | undefined }>()
const staffListeners = new Set<(position?: string) => void>()
let onSessionOver: () => void = () => undefined

/** Called when the shop has ended the session of a push connection, or refuses one. */
export function listenToSessionOver(listener: () => void): void {
  onSessionOver = listener
}

let source: EventSource | undefined
let sourceAddress = ''
let wasLost = false
let reconnectTimer: ReturnType<typeof setTimeout> | undefined

/** Polling continues meanwhile. */
const RECONNECT_AFTER_MS = 30_000
/** Windows of this browser with a push connection. Over HTTP/1.1 all windows of a shop share six connections; the others poll. */
const WINDOWS_MAX = 3
let leavePlace: (() => void) | undefined
let takingPlace: Promise<boolean> | undefined

/**
 * Subscribes the page's only push connection to these topics. A message only revalidates what is on the screen, so a
 * lost connection delays updates until the next poll.
 */
export function useUpdates(topics: readonly Topic[], orderId?: string): void {
  const names = topics.join(',')
  useEffect(() => {
    const subscription = { topics: names === '' ? [] : (names.split(',') as Topic[]), orderId }
    subscriptions.add(subscription)
    const timer = setTimeout(connect)
    return () => {
      clearTimeout(timer)
      subscriptions.delete(subscription)
      setTimeout(connect)
    }
  }, [names, orderId])
}

/** Calls back when staff data has changed, or may have changed while disconnected. */
export function useStaffUpdates(onChange: (position?: string) => void): void {
  useUpdates(['staff'])
  useEffect(() => {
    staffListeners.add(onChange)
    return () => void staffListeners.delete(onChange)
  }, [onChange])
}

function connect(): void {
  const address = document.visibilityState === 'visible' || isWatched() ? addressNow() : ''
  if (address === sourceAddress && source?.readyState !== EventSource.CLOSED) return
  clearTimeout(reconnectTimer)
  source?.close()
  source = undefined
  sourceAddress = address
  if (address === '') return leave()
  takingPlace ??= takePlace().finally(() => (takingPlace = undefined))
  void openInPlace(address, takingPlace)
}

/** Opens the connection, unless the page needs another one by now. Without a place it polls, and tries again. */
async function openInPlace(address: string, taking: Promise<boolean>): Promise<void> {
  const isTaken = await taking
  if (sourceAddress === '') leave()
  else if (sourceAddress === address && source === undefined) {
    if (isTaken) return open(address)
    wasLost = true
    sourceAddress = ''
    reconnectTimer = setTimeout(connect, RECONNECT_AFTER_MS)
  }
}

function leave(): void {
  leavePlace?.()
  leavePlace = undefined
}

/** Takes one of the browser's places; false if other windows have all of them. Browsers have no locks for plain HTTP from another machine. */
async function takePlace(): Promise<boolean> {
  if (leavePlace !== undefined || !('locks' in navigator)) return true
  for (let place = 1; place <= WINDOWS_MAX; place += 1) {
    const isTaken = await new Promise<boolean>((resolve) => {
      const keep = async (lock: Lock | null) => {
        resolve(lock !== null)
        if (lock !== null) await new Promise<void>((end) => (leavePlace = end))
      }
      navigator.locks.request(`push ${place}`, { ifAvailable: true }, keep).catch(() => resolve(true))
    })
    if (isTaken) return true
  }
  return false
}

function open(address: string): void {
  source = new EventSource(address)
  source.addEventListener('message', (event: MessageEvent<string>) => onMessage(event.data))
  source.addEventListener('session-over', () => onSessionOver())
  source.addEventListener('error', () => {
    wasLost = true
    if (source?.readyState === EventSource.CLOSED && staffListeners.size > 0) onSessionOver()
    // The browser does not reconnect after a response that is no stream, such as a 503.
    clearTimeout(reconnectTimer)
    if (source?.readyState === EventSource.CLOSED) reconnectTimer = setTimeout(connect, RECONNECT_AFTER_MS)
  })
  source.addEventListener('open', () => {
    if (wasLost) void mutate(() => true)
    // Changes while connecting were not pushed, and staff data is polled seldom.
    else for (const listener of staffListeners) listener()
    wasLost = false
  })
}

/** Staff see in a hidden tab's title, and by notifications, that work has come in. Phones would end the connection. */
function isWatched(): boolean {
  return staffListeners.size > 0 && window.matchMedia('(pointer: fine)').matches
}

function addressNow(): string {
  const all = [...subscriptions]
  const topics = [...new Set(all.flatMap((subscription) => subscription.topics))].sort()
  const orderId = all.findLast((subscription) => subscription.orderId !== undefined)?.orderId
  if (topics.length === 0 && orderId === undefined) return ''
  const query = new URLSearchParams()
  if (orderId !== undefined) query.set('order', orderId)
  if (topics.length > 0) query.set('topics', topics.join(','))
  return `/api/updates?${query.toString()}`
}

function onMessage(data: string): void {
  const { topic, position } = JSON.parse(data) as Update
  if (topic === 'staff') for (const listener of staffListeners) listener(position)
  for (const key of keysOf(topic)) {
    expectPosition(key, position)
    void mutate(key)
  }
}

// A hidden tab of a buyer needs no updates, and browsers limit connections per host.
function onVisibilityChange(): void {
  const wasOpen = source !== undefined
  connect()
  if (document.visibilityState === 'hidden') wasLost ||= wasOpen && source === undefined
}

if (!import.meta.env.SSR) document.addEventListener('visibilitychange', onVisibilityChange)
