/** What is invisible, and marks on letters. Of scripts whose vowels are marks, the vowels stay. */
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0300-\u036F]/gu
const BLANKS = /[\s\u2800]+/g

/**
 * A text as search compares it, on both sides: `Straße`, `STRASSE` and full-width letters are one word, as are `İstanbul` and `ISTANBUL`. Only for search: two
 * people may have the same word.
 */
export function searchWord(text: string): string {
  const folded = text.normalize('NFKD').replaceAll(IGNORED, '').toLowerCase().toUpperCase().toLowerCase()
  return folded.normalize('NFKC').replaceAll('\u03C2', '\u03C3').replaceAll(BLANKS, ' ').trim()
}
