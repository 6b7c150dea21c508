import { useLocation, useSearchParams } from 'react-router-dom'

const DAY_MS = 86_400_000

/** The past day that Dashboard and Orders show, as their address names it; undefined for now. Settings are always of now. */
export function useAsOf(): string | undefined {
  const { pathname } = useLocation()
  const [address] = useSearchParams()
  return asOfAt(pathname, address)
}

export function asOfAt(pathname: string, address: URLSearchParams): string | undefined {
  if (/^\/admin\/(?:settings|products)/.test(pathname)) return undefined
  return address.get('asOf') ?? undefined
}

/** `2026-03-08`: the day before today where the shop is. */
export function lastEndedDay(nowMs: number, timeZone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(nowMs)
  return new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10)
}

/** The same address with some parts changed. */
export function addressWith(address: URLSearchParams, changes: Readonly<Record<string, string | undefined>>) {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** For the address of a screen that is to show the same day. */
export function searchAt(asOf: string | undefined, others: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(asOf === undefined ? others : { ...others, asOf })
  return search.size === 0 ? '' : `?${search.toString()}`
}
