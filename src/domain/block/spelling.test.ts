import { expect, it } from 'vitest'
import { blockSpelling } from './spelling.ts'

it.for<[string, string, string]>([
  ['case, blanks', ' Ann.Lee@Example.Test ', 'ann.lee@example.test'],
  ['composed letters', 'rene\u0301@example.test', 'ren\u00E9@example.test'],
  ['dots at Gmail', 'a.n.n.l.e.e@gmail.com', 'annlee@gmail.com'],
  ['a tag at Gmail', 'AnnLee+shop+2@gmail.com', 'annlee@gmail.com'],
  ['the old name of Gmail', 'ann.lee@googlemail.com', 'annlee@gmail.com'],
  ['a tag at Outlook, whose dots count', 'ann.lee+x@outlook.com', 'ann.lee@outlook.com'],
  ['a tag at Proton', 'ann+x@proton.me', 'ann@proton.me'],
])('one mailbox is one spelling: %s', ([, typed, spelling]) => expect(blockSpelling('email', typed)).toBe(spelling))

it.for<[string, string, string]>([
  ['dots at another host', 'ann.lee@example.test', 'annlee@example.test'],
  ['a tag at another host', 'ann+x@example.test', 'ann@example.test'],
  ['a name that begins with a plus', '+x@gmail.com', '+y@gmail.com'],
])('other mailboxes stay apart: %s', ([, one, other]) =>
  expect(blockSpelling('email', one)).not.toBe(blockSpelling('email', other)),
)

it('a chat name is one in each case and form of its letters', () => {
  expect(blockSpelling('name', ' Rene\u0301#1 ')).toBe(blockSpelling('name', 'REN\u00C9#1'))
  expect(blockSpelling('name', 'a.b+c')).toBe('a.b+c')
})
