/* Imports no zod: every screen has these words. */
import { type SoldWords, soldWords } from '../../domain/settings/shop-texts.ts'

export {
  type ShopTextName,
  type SoldWords,
  shopTextNames,
  shopTexts,
  soldWords,
} from '../../domain/settings/shop-texts.ts'

/** What the server writes into a page for each mark, escaped: the shop's texts and the words that follow from them. */
export type PageWords = Readonly<Record<'name' | 'game' | 'coin' | keyof SoldWords, string>>

/** The built pages hold these in place of the words. */
export const pageMarks = Object.fromEntries(
  ['name', 'game', 'coin', ...Object.keys(soldWords({ game: null, coin: null }))].map((word) => [
    word,
    `{{shop.${word}}}`,
  ]),
) as PageWords

export const PAGE_MARK = /\{\{shop\.(\w+)\}\}/g
