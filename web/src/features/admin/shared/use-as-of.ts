import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

const DAY_MS = 86_400_000

/** The past day in the address of Dashboard and Orders. Undefined means now, as always for settings. */
export function useAsOf(): string | undefined {
  const { pathname } = useLocation()
  const [address] = useSearchParams()
  return asOfAt(pathname, address)
}

export function asOfAt(pathname: string, address: URLSearchParams): string | undefined {
  if (/^\/admin\/(?:settings|products)/.test(pathname)) return undefined
  return address.get('asOf') ?? undefined
}

/** `2026-03-08`: yesterday in the shop's time zone. */
export function lastEndedDay(nowMs: number, timeZone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(nowMs)
  return new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10)
}

/** The address with some parameters changed. */
export function addressWith(address: URLSearchParams, changes: Readonly<Record<string, string | undefined>>) {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** What a screen shows, by its address. A search may hold a buyer's e-mail: it is in the fragment, which is not sent to servers. */
export function useAddress() {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const address = new URLSearchParams(search)
  const typed = new URLSearchParams(hash.slice(1)).get('search')
  if (typed !== null) address.set('search', typed)
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate(placeOf(addressWith(address, changes)), { replace: true })
  return { address, change }
}

export function placeOf(address: URLSearchParams) {
  const query = addressWith(address, { search: undefined })
  const search = address.get('search')
  return {
    search: query.size === 0 ? '' : `?${query.toString()}`,
    hash: search === null ? '' : `#${new URLSearchParams({ search }).toString()}`,
  }
}

/** The query of a link to a screen of the same day. */
export function searchAt(asOf: string | undefined, others: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(asOf === undefined ? others : { ...others, asOf })
  return search.size === 0 ? '' : `?${search.toString()}`
}

/** Closes the overlay by going one step back, or home if there is none. */
export function useClose(): () => void {
  const navigate = useNavigate()
  return () => void (hasPageBefore() ? navigate(-1) : navigate('/', { replace: true }))
}

/** The state of a link to an order, so that closing the order goes back to the link. */
export const openedHere = { openedHere: true }

export function useCloseOrder(): () => void {
  const navigate = useNavigate()
  const { state, search, hash } = useLocation()
  const wasOpenedHere = (state as Partial<typeof openedHere> | null)?.openedHere === true
  return () =>
    void (wasOpenedHere ? navigate(-1) : navigate({ pathname: '/admin/orders', search, hash }, { replace: true }))
}

/** Whether the previous history entry is a page of this shop. */
function hasPageBefore(): boolean {
  if ('navigation' in window) return (window.navigation as { canGoBack: boolean }).canGoBack
  const place = history.state as { idx?: number } | null
  return (place?.idx ?? 0) > 0
}
