import type { ShopInfo } from '#contract/shop.ts'
import { pageMarks, type SoldWords, soldWords } from '#contract/shop-words.ts'
import useSWR from 'swr'

export const shopKey = '/api/shop'

/** The server wrote them into the page, so that the first picture needs no call. The development server has none. */
function inPage(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null
}

const page = import.meta.env.SSR
  ? { ...pageMarks, game: null, coin: null }
  : { name: inPage('application-name') ?? 'Coinshop', game: inPage('shop-game'), coin: inPage('shop-coin') }

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
  return useShop()?.name ?? page.name
}

/** The words for what is sold. The build renders marks, which the server replaces. */
export function useSold(): SoldWords {
  const shop = useShop() ?? page
  return import.meta.env.SSR ? pageMarks : soldWords(shop)
}
