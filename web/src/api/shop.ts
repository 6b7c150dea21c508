import type { Shop } from '#contract/shop.ts'
import useSWR from 'swr'

export const shopKey = '/api/shop'
const nameBeforeTheShopAnswers = 'Coinshop'

export function useShop(): Shop | undefined {
  return useSWR<Shop>(shopKey).data
}

export function useShopName(): string {
  return useShop()?.name ?? nameBeforeTheShopAnswers
}
