import { expect, it } from 'vitest'
import { idsIn } from '#contract/typed-text.ts'
import { QUANTITY_MAX_M } from '#pricing'
import { count } from '../../lib/format.ts'
import { customerProblems, furthestStep, marketIdProblems, quantityProblems } from './draft-problems.ts'
import { contentOf, marketIdPlaces, emptyDraft, orderBody, quantityOf } from './draft.ts'

const draft = { ...emptyDraft, quantity: '120', customerEmail: ' a@b ', discordUsername: 'ann' }

const offer = {
  unitPriceTenThousandths: 450,
  packs: [],
  inrPerUsd: 86.5,
  stockM: 10,
  takesPreOrders: false,
  methods: [],
  coins: 'Pokecoins',
}

const read = (quantity: string) => quantityOf({ ...draft, quantity })

it('quantityOf reads common notations', () => {
  expect(['100', ' 1,000 ', '25M', '5 000', '\u202a1\u200b00\u202c', '１００'].map(read)).toEqual([
    100, 1_000, 25, 5_000, 100, 100,
  ])
  for (const none of ['', '0', '-5', '1.5', '1,5', '5 0', '1,0000', 'ten']) expect(read(none)).toBeNaN()
})

it('a quantity above the limit is refused with the limit', () => {
  expect(read(String(QUANTITY_MAX_M))).toBe(QUANTITY_MAX_M)
  const [problem] = quantityProblems({ ...draft, quantity: String(QUANTITY_MAX_M + 1) }, offer)
  expect(problem?.message).toBe(`Enter a whole number of millions, 1 to ${count(QUANTITY_MAX_M)}`)
})

it('an order takes one market ID up to 99M, and one per 50M above', () => {
  expect(marketIdPlaces({ ...draft, quantity: '99' }).map((place) => place.amountM)).toEqual([99])
  expect(marketIdPlaces(draft).map((place) => place.amountM)).toEqual([50, 50, 20])
})

it.for([
  ['', 'Enter your market ID'],
  ['1234', 'You entered 4 of 8 digits'],
  ['123456789,22222222', 'Your market ID takes 8 digits and nothing else'],
  ['123456789', 'You entered 9 of 8 digits'],
  ['12345678', undefined],
] as const)('the problem of the market ID %j is explained', ([typed, message]) => {
  const [problem] = marketIdProblems({ ...draft, quantity: '5', marketIds: [typed] })
  expect(problem?.message).toBe(message)
})

const ids = (many: number) => Array.from({ length: many }, (_, index) => String(10_000_000 + index))

const problemsOf = (text: string) =>
  marketIdProblems({ ...draft, quantity: '1050', marketIds: idsIn(text) }).map((problem) => problem.message)

it('several market IDs are read as one list, whose problems are summarised', () => {
  expect(problemsOf(ids(21).join(' ;\n\t/, '))).toEqual([])
  expect(problemsOf('')).toEqual(['21 of 21 market IDs are missing'])
  expect(problemsOf(ids(23).join('|'))).toEqual(['2 market IDs too many: the order takes 21'])
  expect(problemsOf([...ids(16), '1234567', '12a45678', '99', '5', '6'].join())).toEqual([
    'Not 8 digits: 1234567 (number 17), 12a45678 (number 18), 99 (number 19), and 2 more',
  ])
})

it('one market ID takes at most 99M, however often it is typed', () => {
  const [one, other] = ['12345678', '87654321']
  expect(marketIdProblems({ ...draft, quantity: '149', marketIds: [one, other, one] })).toEqual([])
  expect(marketIdProblems({ ...draft, quantity: '200', marketIds: [one, one, other, other] })).toMatchObject([
    { message: '12345678 would get 100M, and one market ID takes at most 99M' },
  ])
})

const saidOf = (customerEmail: string) =>
  customerProblems({ ...draft, customerEmail }).map(({ message }) => message.replace(', such as name@example.com', ''))

it('the problems of an e-mail address and a username are explained', () => {
  expect(customerProblems(draft)).toEqual([])
  expect(customerProblems({ ...draft, discordUsername: ' ' })).toHaveLength(1)
  expect(saidOf('')).toEqual(['Enter your e-mail address'])
  for (const none of ['ann', 'a n n']) expect(saidOf(none)).toEqual(['Enter an e-mail address with an @'])
  expect(saidOf('ann@exam\u200Bple.com')).toEqual([
    'This e-mail address has a character that cannot be seen: type it instead of pasting it',
  ])
  expect(saidOf(`ann@${'x'.repeat(251)}`)).toEqual(['An e-mail address has at most 254 characters. You entered 255'])
  const nameSaid = (discordUsername: string) => customerProblems({ ...draft, discordUsername })[0]?.message
  expect(nameSaid('a'.repeat(65))).toBe('A Discord username has at most 64 characters. You entered 65')
  expect(nameSaid('a\u202enn')).toBe('Your Discord username has a character that cannot be seen: type it again')
})

it('a pasted answer is taken without what pasting has put around it', () => {
  const pasted = { ...draft, customerEmail: ' Ann <mailto:a@b>\u200e', discordUsername: '\u2068ann\u2069 ' }
  expect(customerProblems(pasted)).toEqual([])
  expect(contentOf(pasted)).toBe(contentOf(draft))
  expect(orderBody(pasted, '5.10')).toMatchObject({ customerEmail: 'a@b', discordUsername: 'ann' })
})

it('a step opens only when the steps before it are complete', () => {
  expect(furthestStep({ ...draft, quantity: '' })).toBe(1)
  expect(furthestStep({ ...draft, customerEmail: '' })).toBe(2)
  expect(furthestStep(draft)).toBe(3)
})

it('the request has the first market ID as the main one, and a list only for several', () => {
  const body = orderBody({ ...draft, marketIds: idsIn('11111111 22222222 33333333') }, '5.10')
  expect(body).toMatchObject({ marketId: '11111111', pokecoinAmount: 120, totalAmount: '5.10', customerEmail: 'a@b' })
  expect(body.marketIds).toHaveLength(3)
  expect(orderBody({ ...draft, quantity: '5', marketIds: ['11111111'] }, '0.25')).not.toHaveProperty('marketIds')
})

it('the request leaves out empty texts', () =>
  expect(JSON.stringify(orderBody({ ...draft, discordUsername: ' ' }, '5.10'))).not.toContain('discordUsername'))

it('spaces around an answer do not change the draft’s content', () => {
  expect(contentOf({ ...draft, customerEmail: 'a@b' })).toBe(contentOf(draft))
  for (const change of [{ quantity: '121' }, { marketIds: ['87654321'] }])
    expect(contentOf({ ...draft, ...change })).not.toBe(contentOf(draft))
})
