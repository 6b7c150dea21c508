/* What people type and paste, without what does not belong to it. Imports nothing: the API and the screens share it. */

/** Directional and zero-width marks that contact lists, PDFs and chats put around a text. */
export const MARKS = String.raw`\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF`
const mark = new RegExp(`[${MARKS}]`, 'g')
const blankOrMark = new RegExp(String.raw`[\s${MARKS}]`)

/** Without blanks and marks at both ends. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && blankOrMark.test(text.charAt(start))) start += 1
  while (end > start && blankOrMark.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** The text of an id or a number: no mark belongs into it, and full-width characters are meant as plain ones. */
export function plainText(text: string): string {
  return trimmed(text.normalize('NFKC').replaceAll(mark, ''))
}

/** The ids in a list with any separators. */
export function idsIn(text: string): string[] {
  return plainText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((one) => one !== '')
}

/** One id, written with separators or without. */
export function idIn(text: string): string {
  return idsIn(text).join('')
}

/** The ten digits of an Indian phone number, written with a trunk or country prefix or without. Any other text stays. */
export function phoneIn(text: string): string {
  const digits = plainText(text).replaceAll(/[\s()+./\u2010-\u2015-]/g, '')
  return digits.replace(/^(?:0{0,2}91)?0?(?=\d{10}$)/, '')
}

/** `ann@x.test` of `mailto:ann@x.test` or `Ann <ann@x.test>`. */
export function emailIn(text: string): string {
  const given = trimmed(text)
  const address = /<([^<>]*)>$/.exec(given)?.[1] ?? given
  return trimmed(/^mailto:([^?]*)/i.exec(trimmed(address))?.[1] ?? address)
}

type Range = readonly [first: number, last: number]

/**
 * Characters that cannot be seen, which make different texts look the same: control, format, separator, blank. Spelled out, so that the API's
 * description can say them to any engine of regular expressions.
 */
const UNSEEN: readonly Range[] = [
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200c, 0x200d],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0e],
  [0xfe0f, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]
/** Joiners and the variation selector, which some scripts and emoji need. */
const JOINERS: ReadonlySet<number> = new Set([0x200c, 0xfe0f])

/** In a character class of a regular expression. */
export const unseen = inClass(UNSEEN)
export const unseenInNames = inClass(UNSEEN.filter(([first]) => !JOINERS.has(first)))

function inClass(ranges: readonly Range[]): string {
  return ranges.map((range) => range.map(escaped).join('-')).join('')
}

function escaped(code: number): string {
  if (code > 0xffff) return String.fromCodePoint(code)
  return code > 0xff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\x${code.toString(16).padStart(2, '0')}`
}

const hidden = new RegExp(`[${unseen}]`, 'u')
const hiddenInName = new RegExp(`[${unseenInNames}]`, 'u')
const shown = new RegExp(String.raw`[^\s${unseen}]`, 'u')

export function hasHidden(text: string): boolean {
  return hidden.test(text)
}

/** Has a character that can be seen, and of the others only what scripts and emoji need. */
export function isVisibleName(text: string): boolean {
  return shown.test(text) && !hiddenInName.test(text)
}

/** Why the result of `emailIn` is no e-mail address, without a full stop; undefined if it is one. `ann@gmail` is one. */
export function emailProblem(email: string): string | undefined {
  const parts = email.split('@')
  const [name = '', host = ''] = parts
  if (parts.length === 1) return 'Enter an e-mail address with an @, such as name@example.com'
  if (hasHidden(email)) return 'This e-mail address has a character that cannot be seen: type it instead of pasting it'
  if (/\s/.test(email)) return 'An e-mail address has no spaces'
  if (parts.length > 2) return 'An e-mail address has only one @'
  if (name === '') return 'Enter what comes before the @ of your e-mail address'
  if (host === '') return 'Enter what comes after the @ of your e-mail address'
  const wrong = /[<>()[\]\\,;:"]/.exec(email)?.[0]
  if (wrong !== undefined) return `An e-mail address has no ${wrong === ',' ? 'comma; should it be a dot?' : wrong}`
  if (/^\.|\.\.|\.$/.test(host)) return 'The part after the @ has a dot too many'
  if (/[^\w.\x80-\u{10FFFF}-]/u.test(host) || /(^|\.)-|-(\.|$)/.test(host))
    return 'The part after the @ has a character that does not belong there'
  return undefined
}

const mailDomains = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com', 'rediffmail.com']
/** One letter away from those above, but domains of their own. */
const otherDomains: ReadonlySet<string> = new Set([
  'ymail.com',
  'mail.com',
  'email.com',
  'gmail.co',
  'yahoo.co',
  'fmail.com',
])

/** The address that was probably meant: the domain is a well-known one but for a letter, or lacks its end. */
export function likelyEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (mailDomains.includes(domain) || otherDomains.has(domain)) return undefined
  const meant = mailDomains.find((known) => isOneSlipApart(domain, known) || known.startsWith(`${domain}.`))
  return meant === undefined ? undefined : `${email.slice(0, at)}@${meant}`
}

/** One letter is missing, added or another, or two neighbours are swapped. */
function isOneSlipApart(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false
  let from = 0
  while (from < meant.length && typed[from] === meant[from]) from += 1
  const [left, right] = [typed.slice(from), meant.slice(from)]
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1) || isSwapped
}
