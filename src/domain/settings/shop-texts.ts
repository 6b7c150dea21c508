/* What the owner says of the shop. This file imports nothing, so that the browser has the same words. */

/** The greatest length of each text. The names are stored, so they never change; an empty text counts as not set. */
export const shopTexts = {
  shopName: 60,
  gameName: 60,
  coinName: 40,
  discordDmUrl: 300,
  discordServerUrl: 300,
  supportEmail: 254,
  sellerName: 120,
  sellerAddress: 300,
  sellerTaxNumber: 40,
  /** Free text on a receipt. */
  sellerLine: 200,
} as const

export type ShopTextName = keyof typeof shopTexts

export const shopTextNames = Object.keys(shopTexts) as readonly ShopTextName[]

export function byShopText<Value>(valueOf: (name: ShopTextName) => Value): Record<ShopTextName, Value> {
  return Object.fromEntries(shopTextNames.map((name) => [name, valueOf(name)])) as Record<ShopTextName, Value>
}

export interface Sold {
  /** The name of the game; null if the owner has set none. */
  readonly game: string | null
  /** What one calls the coins, in the plural; null if the owner has set nothing. */
  readonly coin: string | null
}

/** The words for what is sold: the owner's own everywhere, else the first game's, in the spelling of each place. */
export function soldWords({ game, coin }: Sold) {
  const offered = game === null ? (coin ?? 'Pokecoins') : `${coin ?? 'Coins'} for ${game}`
  return {
    coins: coin ?? 'Pokecoins',
    deliveredCoins: coin ?? 'Pokécoins',
    coinOfShop: coin ?? 'pokecoin',
    product: `${game ?? 'Pokétwo'} ${coin ?? 'Pokécoins'}`,
    offer: `${offered}, delivered to your market listing`,
  }
}

export type SoldWords = ReturnType<typeof soldWords>
