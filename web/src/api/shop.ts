import type { ShopInfo } from '#contract/shop.ts'
import useSWR from 'swr'

const shopKey = '/api/shop'
const nameBeforeTheShopAnswers = 'Coinshop'

export function useShop(): ShopInfo | undefined {
  return useSWR<ShopInfo>(shopKey).data
}

const playMoney = {
  sandbox: { name: 'Sandbox', text: 'no real money moves' },
  test: { name: 'Test', text: 'send no real money' },
  live: undefined,
} as const satisfies Record<ShopInfo['payments'], unknown>

/** The note on every screen if the money is not real; undefined if it is. */
export function usePlayMoney(): { readonly name: string; readonly text: string } | undefined {
  const shop = useShop()
  return shop && playMoney[shop.payments]
}

export function useShopName(): string {
  return useShop()?.name ?? nameBeforeTheShopAnswers
}
