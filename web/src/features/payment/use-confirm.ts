import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'

const CONFIRM_AFTER_MS = 1_000

/** Goes to the confirmation one second after the payment is known. */
export function useConfirmWhen(isPaid: boolean, orderId: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isPaid) return undefined
    const timer = setTimeout(() => void navigate(`/order/${orderId}/confirm`, { replace: true }), CONFIRM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isPaid, orderId, navigate])
}
