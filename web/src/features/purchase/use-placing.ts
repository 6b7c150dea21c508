import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { mutate } from 'swr'
import { config } from 'zod/mini'
import type { Order } from '#contract/order.ts'
import type { Quote } from '#contract/pricing.ts'
import { ApiError, get, isMissing } from '../../api/client.ts'
import { cancelOrder, orderKey, placeOrder } from '../../api/orders.ts'
import { pricingKey } from '../../api/pricing.ts'
import { settingsKey } from '../../api/settings.ts'
import { toast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/ui/use-action.ts'
import { randomKey } from '../../lib/random-key.ts'
import { changeDraft } from './draft-store.ts'
import { placeDraft, type Shop } from './place-draft.ts'
import { toastInsufficientStock } from './quantity-step.tsx'

// The content security policy forbids eval, which zod would try.
config({ jitless: true })

const shop: Shop = {
  place: placeOrder,
  cancel: cancelOrder,
  stands: async (orderId) => {
    try {
      const { endedAs } = await get<Order>(orderKey(orderId))
      return endedAs === null || endedAs === 'completed'
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  },
  save: changeDraft,
  newKey: randomKey,
}

/** Places the draft's order and opens its checkout, or explains the refusal. */
export function usePlacing() {
  const navigate = useNavigate()
  const [priceChange, setPriceChange] = useState<{ was: string; now: string }>()

  const explain = async (error: unknown, totalAmount: string) => {
    const code = error instanceof ApiError ? error.code : ''
    const problem: ApiError['problem'] = error instanceof ApiError ? error.problem : {}
    if (code === 'order/price-changed' && problem['quote'] !== undefined) {
      void mutate(pricingKey)
      void mutate(settingsKey)
      return setPriceChange({ was: totalAmount, now: (problem['quote'] as Quote).totalAmount })
    }
    if (code === 'inventory/insufficient-stock') {
      void mutate(settingsKey)
      // Of the refusal itself: the settings may not be readable just now.
      toastInsufficientStock(Number(problem['currentStock'] ?? 0), { isKept: true })
      return navigate('/purchase')
    }
    const ofCustomer = (problem.errors ?? []).filter(({ path }) => /^(?:customerEmail|discordUsername)$/.test(path))
    if (ofCustomer.length > 0) {
      const problems = ofCustomer.map(({ path, message }) => ({ field: path, message }))
      return navigate('/purchase?step=2', { state: { problems } })
    }
    throw error
  }

  const place = useAction(
    async (totalAmount: string) => {
      try {
        const orderId = await placeDraft(changeDraft({ agreedTotal: totalAmount }), totalAmount, shop)
        await navigate(`/checkout/${orderId}`)
      } catch (error) {
        await explain(error, totalAmount)
      }
    },
    () => toast('Error', 'Failed to create order. Please try again.', { destructive: true }),
  )
  return { place, priceChange }
}
