import { expect, it } from 'vitest'
import { emailIn, emailProblem, idIn, idsIn, likelyEmail, phoneIn, plainText, trimmed } from './typed-text.ts'

/** Each mark that contact lists, PDFs and chats put around a text. */
const marks = [
  0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff,
]

it.for(marks.map((code) => code.toString(16)))('the mark U+%s is dropped around a text and inside an id', (code) => {
  const mark = String.fromCharCode(Number.parseInt(code, 16))
  const around = (text: string) => `${mark} ${mark}${text}${mark}\n${mark}`
  expect(trimmed(around(`ann${mark}e`))).toBe(`ann${mark}e`)
  expect(emailIn(around('ann@x.test'))).toBe('ann@x.test')
  expect(idIn(around(`1234${mark}5678`))).toBe('12345678')
  expect(phoneIn(around(`+91${mark}99999 99999`))).toBe('9999999999')
  expect(plainText(around(`1${mark}0`))).toBe('10')
})

it.for([
  ['12345678', '12345678'],
  ['12345678,', '12345678'],
  ['1234-5678', '12345678'],
  [' 1234 5678 ', '12345678'],
  ['１２３４５６７８', '12345678'],
  ['123456789', '123456789'],
  ['12a45678', '12a45678'],
  ['#12345678.', '12345678'],
] as const)('the one id in %j is %s', ([text, id]) => expect(idIn(text)).toBe(id))

it('the ids of a list may have any separators', () => {
  expect(idsIn('\u202a11111111\u202c;22222222 | 33333333,\n44444444/')).toEqual(
    '11111111 22222222 33333333 44444444'.split(' '),
  )
})

it.for([
  ['9999999999', '9999999999'],
  ['099999 99999', '9999999999'],
  ['0091 99999 99999', '9999999999'],
  ['+91 (0)99999-99999', '9999999999'],
  ['+91 99999 99999', '9999999999'],
  ['91 99999 99999', '9999999999'],
  ['(099999) 99999', '9999999999'],
  ['9199999999', '9199999999'],
  ['09199999999', '9199999999'],
  ['+91 9199999999', '9199999999'],
  ['99999 9999', '999999999'],
  ['+44 20 7946 0000', '442079460000'],
  ['call me', 'callme'],
] as const)('the phone number in %j is %s', ([text, digits]) => expect(phoneIn(text)).toBe(digits))

it.for([
  ['ann@x.test', 'ann@x.test'],
  [' <ann@x.test> ', 'ann@x.test'],
  ['Ann Smith <ann@x.test>', 'ann@x.test'],
  ['mailto:ann@x.test', 'ann@x.test'],
  ['MAILTO:ann@x.test?subject=Hi', 'ann@x.test'],
  ['<mailto:ann@x.test>', 'ann@x.test'],
  ['"Ann" <\u202aann@x.test\u202c>\u200e', 'ann@x.test'],
] as const)('the e-mail address in %j is %s', ([text, email]) => expect(emailIn(text)).toBe(email))

it.for(['a@b', 'ann@gmail', "o'hara+shop@x.co.uk", 'a..b@docomo.ne.jp', 'zoë@bücher.example', 'ann@मेल.भारत'])(
  '%s is an e-mail address',
  (email) => expect(emailProblem(email)).toBeUndefined(),
)

it.for([
  ['ann', 'with an @'],
  ['ann@x@y', 'only one @'],
  ['@x.test', 'before the @'],
  ['ann@', 'after the @'],
  ['ann @x.test', 'no spaces'],
  ['ann@example,com', 'a dot?'],
  ['ann;bob@x.test', 'has no ;'],
  ['"ann"@x.test', 'has no "'],
  ['ann<ann@x.test', 'has no <'],
  ['buyer@x..test', 'a dot too many'],
  ['ann@.test', 'a dot too many'],
  ['ann@x.test.', 'a dot too many'],
  ['ann@x_!.test', 'does not belong there'],
  ['ann@-x.test', 'does not belong there'],
  ['ann@ex\u200bample.com', 'cannot be seen'],
  ['a\u00adnn@example.com', 'cannot be seen'],
] as const)('%j is refused: %s', ([email, cause]) => expect(emailProblem(email)).toContain(cause))

it.for([
  ['ann@gmial.com', 'ann@gmail.com'],
  ['ann@gmai.com', 'ann@gmail.com'],
  ['ann@gmail.con', 'ann@gmail.com'],
  ['ann@ggmail.com', 'ann@gmail.com'],
  ['ann@gmail', 'ann@gmail.com'],
  ['Ann@Hotmial.com', 'Ann@hotmail.com'],
  ['ann@outlok.com', 'ann@outlook.com'],
  ['ann@rediffmail.co', 'ann@rediffmail.com'],
  ...[
    'gmail.com',
    'GMAIL.com',
    'ymail.com',
    'mail.com',
    'yahoo.co.in',
    'hotmail.co.uk',
    'proton.me',
    'x.test',
    'b',
  ].map((domain) => [`ann@${domain}`, undefined] as const),
] as const)('for %s the likely address is %s', ([email, likely]) => expect(likelyEmail(email)).toBe(likely))

it('a text of a hundred thousand blanks is trimmed without delay', () => {
  expect(trimmed(`${' '.repeat(100_000)}x${' \u200b'.repeat(50_000)}`)).toBe('x')
})
