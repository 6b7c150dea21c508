/*
 * MongoDB compares text by the bytes of its UTF-8, that is by code points; others that speak its protocol compare UTF-16, where an emoji comes before
 * U+FFFF. Stored in characters below that alone, text has one order everywhere, and begins with what it began with.
 */
const LEAD = '\uffff'
const LEAD_POINT = 0xffff
const DIGIT_BITS = 12
const FIRST_DIGIT = 0x1000

export function storedText(text: string): string {
  return text.replaceAll(/[\uffff\u{10000}-\u{10ffff}]/gu, (point) => {
    const offset = (point.codePointAt(0) ?? LEAD_POINT) - LEAD_POINT
    return LEAD + String.fromCodePoint(FIRST_DIGIT + (offset >> DIGIT_BITS), FIRST_DIGIT + (offset % (1 << DIGIT_BITS)))
  })
}

export function textOf(stored: string): string {
  return stored.replaceAll(/\uffff([^])([^])/g, (_, high: string, low: string) =>
    String.fromCodePoint(LEAD_POINT + ((digit(high) << DIGIT_BITS) | digit(low))),
  )
}

function digit(character: string): number {
  return character.charCodeAt(0) - FIRST_DIGIT
}
