import * as z from 'zod/mini'
import { MARKS, unseen, unseenInNames } from './typed-text.ts'

/*
 * Texts that are checked by functions, and described by JSON Schema. Patterns are read by every engine of regular expressions: character classes,
 * no \p, no lookahead. They describe a text before blanks and marks are cut off its ends.
 */

const BLANKS = String.raw`\x09-\x0d\x20\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
const SPACES = String.raw`\x20\xa0\u1680\u2000-\u200a\u202f\u205f\u3000`
const JOINERS = String.raw`\u200c\u200d\ufe0f`
const around = (inner: string) => `^[${BLANKS}${MARKS}]*${inner}[${BLANKS}${MARKS}]*$`
const hostLetter = (more = '') =>
  String.raw`[^${more}\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f${SPACES}${unseen}]`
const hostPart = String.raw`${hostLetter(String.raw`\x2d`)}(?:${hostLetter()}*${hostLetter(String.raw`\x2d`)})?`
const nameLetter = String.raw`[^<>()\[\]\\,;:"@${SPACES}${unseen}]`

/** For `z.meta`: escapes above U+00FF are written as the characters themselves, which every engine reads. */
function pattern(source: string): { pattern: string } {
  return { pattern: source.replaceAll(/\\u[0-9a-f]{4}/gi, literal) }
}

function literal(escape: string): string {
  return String.fromCodePoint(Number.parseInt(escape.slice(2), 16))
}

export const seenPattern = z.meta(pattern(`[^${BLANKS}${MARKS}]`))
export const visibleTextPattern = z.meta(pattern(around(`[^${unseen}]*`)))
const visibleName = `[${JOINERS}${SPACES}]*[^${SPACES}${unseen}][^${unseenInNames}]*`
export const visibleNamePattern = z.meta(pattern(around(visibleName)))
export const optionalNamePattern = z.meta(pattern(around(`(?:${visibleName})?`)))
const email = String.raw`${nameLetter}+@${hostPart}(?:\.${hostPart})*`
export const emailPattern = z.meta(pattern(around(email)))
export const optionalEmailPattern = z.meta(pattern(around(`(?:${email})?`)))

/**
 * At most this many characters, two checks. An emoji is one character, as in JSON Schema. Longer texts are not checked further. Placed before blanks
 * and marks are cut off, since a reader of the description counts those.
 */
export function charsMax(maximum: number) {
  const isShort = z.check<string>(({ value, issues }) => {
    if (value.length <= maximum || Array.from(value).length <= maximum) return
    issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: value, continue: false })
  })
  return [isShort, z.meta({ maxLength: maximum })] as const
}

/** `2026-01-31`. */
export const day = z.string().check(z.refine(isDay, 'A day is written as 2026-01-31.'), z.meta({ format: 'date' }))

/** A day, or a moment as `2026-01-31T12:00:00Z`. */
export const dayOrMoment = z.string().check(
  z.refine((text) => isDay(text) || isMoment(text), 'A date is written as 2026-01-31.'),
  z.meta({ anyOf: [{ format: 'date' }, { format: 'date-time' }] }),
)

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return text > '0001' && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

function isMoment(text: string): boolean {
  const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.exec(text)
  return isDay(form?.[1] ?? '') && !Number.isNaN(Date.parse(text.toUpperCase()))
}
