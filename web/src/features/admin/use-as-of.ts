import { useLocation, useSearchParams } from 'react-router-dom'

/** The past day that Dashboard and Orders show, as their address names it; undefined for now. Settings are always of now. */
export function useAsOf(): string | undefined {
  const { pathname } = useLocation()
  const [address] = useSearchParams()
  if (pathname.startsWith('/admin/settings')) return undefined
  return address.get('asOf') ?? undefined
}

/** The same screen as of another day, or of now. A list begins at its first page. */
export function withAsOf(address: URLSearchParams, asOf: string | undefined): URLSearchParams {
  const next = new URLSearchParams(address)
  next.delete('pages')
  if (asOf === undefined) next.delete('asOf')
  else next.set('asOf', asOf)
  return next
}

/** For the address of a screen that is to show the same day. */
export function searchAt(asOf: string | undefined, others: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(asOf === undefined ? others : { ...others, asOf })
  return search.size === 0 ? '' : `?${search.toString()}`
}
