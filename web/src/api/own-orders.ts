import type { OrderCreated } from '#contract/order.ts'
import { useSyncExternalStore } from 'react'
import { remember, remembered } from '../lib/storage.ts'
import { store } from '../lib/store.ts'

export type OwnOrder = Pick<OrderCreated, 'id' | 'orderNumber'>

const storageKey = 'coinshop.orders'
const OWN_ORDERS_MAX = 5
const none: readonly OwnOrder[] = []

const own = store(remembered(storageKey, isList) ?? none)

/** Remembers an order that this browser has placed; the oldest of more than five is forgotten. */
export function rememberOrder({ id, orderNumber }: OwnOrder): void {
  keep([{ id, orderNumber }, ...own.get().filter((one) => one.id !== id)].slice(0, OWN_ORDERS_MAX))
}

export function forgetOrder(id: string): void {
  if (own.get().some((one) => one.id === id)) keep(own.get().filter((one) => one.id !== id))
}

function keep(orders: readonly OwnOrder[]): void {
  remember(storageKey, orders)
  own.set(orders)
}

function isList(value: unknown): value is readonly OwnOrder[] {
  return Array.isArray(value) && value.every((one: Partial<OwnOrder>) => typeof one?.orderNumber === 'string')
}

export function useOwnOrders(): readonly OwnOrder[] {
  return useSyncExternalStore(own.subscribe, own.get, () => none)
}
