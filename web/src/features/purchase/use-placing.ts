import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { mutate } from 'swr'
import { config } from 'zod/mini'
import type { Order } from '#contract/order.ts'
import type { FreshQuote } from '#contract/pricing.ts'
import { ApiError, get, isMissing } from '../../api/client.ts'
import { cancelOrder, orderKey, placeOrder } from '../../api/orders.ts'
import { pricingKey, settingsKey } from '../../api/settings.ts'
import { useSold } from '../../api/shop.ts'
import { toast, useAction } from '../../components/ui/use-action.ts'
import { rememberOrder } from '../../api/own-orders.ts'
import { randomKey } from '../../lib/random-key.ts'
import { changeDraft, draftToPlace } from './draft.ts'
import { type UnpaidChoice, placeDraft, type PlacingCalls, type UnpaidOrder } from './place-draft.ts'
import { toastInsufficientStock } from './quantity-step.tsx'

// Zod would try eval, which the content security policy forbids.
config({ jitless: true })

const calls: PlacingCalls = {
  place: async (body, key) => {
    const placed = await placeOrder(body, key)
    rememberOrder(placed)
    return placed
  },
  cancel: cancelOrder,
  unpaid: async (orderId) => {
    try {
      const order = await get<Order>(orderKey(orderId))
      return order.may.cancel ? { ...order, isStarted: order.transactionData !== null } : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  },
  save: changeDraft,
  newKey: randomKey,
}

/** Places the order and goes to its checkout, explains a refusal, or returns the unpaid order to ask the buyer about. */
export function usePlacing() {
  const navigate = useNavigate()
  const { coins } = useSold()
  const [priceChange, setPriceChange] = useState<{ was: string; now: string }>()
  const [unpaid, setUnpaid] = useState<UnpaidOrder>()

  const explain = async (error: unknown, totalAmount: string) => {
    const code = error instanceof ApiError ? error.code : ''
    const problem: ApiError['problem'] = error instanceof ApiError ? error.problem : {}
    if (code === 'order/price-changed' && problem['quote'] !== undefined) {
      void mutate(pricingKey)
      void mutate(settingsKey)
      return setPriceChange({ was: totalAmount, now: (problem['quote'] as FreshQuote).totalAmount })
    }
    if (code === 'inventory/insufficient-stock') {
      void mutate(settingsKey)
      // From the refusal, since the settings may be unavailable.
      toastInsufficientStock({ stockM: Number(problem['currentStock'] ?? 0), coins })
      return navigate('/purchase')
    }
    throw error
  }

  const place = useAction(
    async (totalAmount: string, choice?: UnpaidChoice) => {
      try {
        const placed = await placeDraft(draftToPlace(totalAmount), totalAmount, calls, choice)
        if ('unpaid' in placed) return setUnpaid(placed.unpaid)
        await navigate(`/checkout/${placed.orderId}`)
      } catch (error) {
        setUnpaid(undefined)
        await explain(error, totalAmount)
      }
    },
    (error) => {
      const isRefused = error instanceof ApiError && error.code === 'order/not-accepted'
      toast('Error', isRefused ? error.say : 'Failed to create order. Please try again.', { destructive: true })
    },
  )
  return { place, priceChange, unpaid, forgetUnpaid: () => setUnpaid(undefined) }
}
