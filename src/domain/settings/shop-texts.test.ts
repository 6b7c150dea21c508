import { expect, it } from 'vitest'
import { soldWords } from './shop-texts.ts'

it('until the owner says what is sold, each text has the spelling of the spec', () =>
  expect(soldWords({ game: null, coin: null })).toEqual({
    coins: 'Pokecoins',
    deliveredCoins: 'Pokécoins',
    coinOfShop: 'pokecoin',
    product: 'Pokétwo Pokécoins',
    offer: 'Pokecoins, delivered to your market listing',
  }))

it('what the owner says is sold is in every text', () => {
  expect(soldWords({ game: 'My game', coin: 'Gems' })).toEqual({
    coins: 'Gems',
    deliveredCoins: 'Gems',
    coinOfShop: 'Gems',
    product: 'My game Gems',
    offer: 'Gems for My game, delivered to your market listing',
  })
  expect(soldWords({ game: 'My game', coin: null }).offer).toBe('Coins for My game, delivered to your market listing')
  expect(soldWords({ game: null, coin: 'Gems' }).offer).toBe('Gems, delivered to your market listing')
})
