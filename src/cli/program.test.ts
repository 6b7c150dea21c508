import { expect, it } from 'vitest'
import { progressOn } from './progress.ts'
import { runHere } from './testing/run-cli.ts'

const help = async (...words: string[]): Promise<string> => (await runHere([...words, '--help'])).stdout

it('the help lists every verb and the exit codes', async () => {
  const text = await help()
  for (const verb of ['seed', 'backup', 'verify', 'log copy', 'history sql FILE QUERY', 'admin accept-loss', 'doubles'])
    expect(text).toMatch(new RegExp(`^  ${verb} {2,}\\w`, 'm'))
  expect(text).toMatch(/^Exit codes: 0 done, 1 /m)
})

it('the help explains a verb', async () => {
  const text = await help('backup')
  expect(text).toMatch(/^Usage: npm run shop -- backup \[options\]\n/)
  expect(text).toMatch(/--vault-to <DIR>/)
  expect(text).toMatch(/^Exit codes: /m)
})

it.for<[words: string, sentence: RegExp]>([
  ['', /^name one of: seed, backup, .*\(see npm run shop -- --help\)$/],
  ['admin', /^name one of: set-password, .*\(see npm run shop -- admin --help\)$/],
  ['bakcup', /^unknown command 'bakcup' \(Did you mean backup\?\) \(see npm run shop -- --help\)$/],
  ['admin ersae', /^unknown command 'ersae' \(Did you mean erase\?\) /],
  ['toString', /^unknown command 'toString' /],
  ['verify --boks', /^unknown option '--boks' \(Did you mean --books\?\) \(see npm run shop -- verify --help\)$/],
  ['verify --books=yes', /--books/],
  ['doctor now', /^too many arguments for 'doctor'/],
  ['admin erase anna@example.test', /^too many arguments for 'erase'/],
  ['backup', /^required option '--to <DIR>' not specified /],
  ['backup --to', /^option '--to <DIR>' argument missing /],
  ['backup --to=', /^option '--to <DIR>' argument '' is invalid\. It needs a value\. /],
  ['backup --to --vault-to x', /^option '--to <DIR>' argument '--vault-to' is invalid/],
  ['seed --orders 0', / argument '0' is invalid\. It takes a whole number from 1 to 10000000\. /],
  ['seed --orders 0x3', /whole number/],
  ['seed --orders 10 --seed -1', /whole number/],
  ['history export', /^missing required argument 'FILE' \(see npm run shop -- history export --help\)$/],
  ['history sql shop.sqlite', /^missing required argument 'QUERY' /],
  ['log copy', /^required option '--to <TARGET>' not specified /],
])('the command "%s" is rejected in one line', async ([words, sentence]) => {
  const { code, stdout, stderr } = await runHere(words.split(' ').filter(Boolean))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.replace(/\n$/, '')).toMatch(sentence)
  expect(stderr).toMatch(/^[^\n]+\n$/)
})

function shownOn(isTTY: boolean): string {
  const written: string[] = []
  let now = 0
  const write = (chunk: string): boolean => written.push(chunk) > 0
  const progress = progressOn({ isTTY, columns: 12, write }, () => now)
  for (; now <= 10_000; now += 2_500) progress.show(`${now} of 10000 orders`)
  progress.clear()
  return written.join('')
}

it('progress in a file is a line every few seconds', () =>
  expect(shownOn(false)).toBe('5000 of 10000 orders\n10000 of 10000 orders\n'))

it('progress on a terminal is one fitting line that is cleared at the end', () => {
  const erase = '\r\u001B[K'
  expect(shownOn(true).split(erase)).toEqual([
    '',
    '0 of 10000 ',
    ...['2500', '5000', '7500', '10000'].map((at) => `${at} of 10000`.slice(0, 11)),
    '',
  ])
})
