import { useLocation, useNavigate } from 'react-router-dom'

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
