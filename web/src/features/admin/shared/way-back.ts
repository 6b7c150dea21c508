import { useLocation, useNavigate } from 'react-router-dom'

/** Closing the overlay is one step back; where it was the first page, home. */
export function useClose(): () => void {
  const navigate = useNavigate()
  return () => void (hasPageBefore() ? navigate(-1) : navigate('/', { replace: true }))
}

/** What a link to an order carries, so that closing the order leads back to where it was opened. */
export const openedHere = { openedHere: true }

export function useCloseOrder(): () => void {
  const navigate = useNavigate()
  const { state, search } = useLocation()
  const wasOpenedHere = (state as Partial<typeof openedHere> | null)?.openedHere === true
  return () => void (wasOpenedHere ? navigate(-1) : navigate({ pathname: '/admin/orders', search }, { replace: true }))
}

/** Whether the previous entry is a page of ours: the browser's start page is not gone back to. */
function hasPageBefore(): boolean {
  if ('navigation' in window) return (window.navigation as { canGoBack: boolean }).canGoBack
  const place = history.state as { idx?: number } | null
  return (place?.idx ?? 0) > 0
}
