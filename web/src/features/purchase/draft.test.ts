import { expect, it } from 'vitest'
import { customerProblems, furthestStep, marketIdProblems } from './draft-problems.ts'
import { contentOf, marketIdPlaces, marketIdsIn, newDraft, orderBody, quantityOf } from './draft.ts'

const draft = { ...newDraft, quantity: '120', customerEmail: ' a@b ', discordUsername: 'ann' }

const read = (quantity: string) => quantityOf({ ...draft, quantity })

it('reads a quantity as people write it', () => {
  expect(['100', ' 1,000 ', '25M', '50 000'].map(read)).toEqual([100, 1_000, 25, 50_000])
  for (const none of ['', '0', '-5', '1.5', '1,5', '5 0', '50001', '1,0000', 'ten']) expect(read(none)).toBeNaN()
})

it('asks for one market id up to 99M, and for one per 50M above', () => {
  expect(marketIdPlaces({ ...draft, quantity: '99' }).map((place) => place.amountM)).toEqual([99])
  expect(marketIdPlaces(draft).map((place) => place.amountM)).toEqual([50, 50, 20])
})

it.for([
  ['', 'Enter your market ID'],
  ['1234', 'Your market ID takes 8 digits: these are 4'],
  ['123456789,22222222', 'Your market ID takes 8 digits and nothing else'],
  ['123456789', 'Your market ID takes 8 digits: these are 9'],
  ['12345678', undefined],
] as const)('says what is wrong with the market id %j', ([typed, message]) => {
  const [problem] = marketIdProblems({ ...draft, quantity: '5', marketIds: [typed] })
  expect(problem?.message).toBe(message)
})

const ids = (many: number) => Array.from({ length: many }, (_, index) => String(10_000_000 + index))

const problemsOf = (text: string) =>
  marketIdProblems({ ...draft, quantity: '1050', marketIds: marketIdsIn(text) }).map((problem) => problem.message)

it('takes several ids as one list, and says briefly what is wrong with it', () => {
  expect(problemsOf(ids(21).join(' ;\n\t/, '))).toEqual([])
  expect(problemsOf('')).toEqual(['21 of 21 market IDs are missing'])
  expect(problemsOf(ids(23).join('|'))).toEqual(['2 market IDs too many: the order takes 21'])
  expect(problemsOf([...ids(16), '1234567', '12a45678', '99', '5', '6'].join())).toEqual([
    'Not 8 digits: 1234567 (number 17), 12a45678 (number 18), 99 (number 19), and 2 more',
  ])
})

const saidOf = (customerEmail: string) =>
  customerProblems({ ...draft, customerEmail }).map(({ message }) => message.replace(', such as name@example.com', ''))

it('says what is wrong with an e-mail address, and with a username', () => {
  expect(customerProblems(draft)).toEqual([])
  expect(customerProblems({ ...draft, discordUsername: ' ' })).toHaveLength(1)
  expect(saidOf('')).toEqual(['Enter your e-mail address'])
  for (const none of ['ann', 'a n n']) expect(saidOf(none)).toEqual(['Enter an e-mail address with an @'])
  for (const other of ['a@b@c', 'ann@', '@b', 'ann@ex ample.com', `ann@${'x'.repeat(251)}`, 'ann@exam\u200Bple.com'])
    expect(saidOf(other)).toEqual(['This is not an e-mail address such as name@example.com, or it is too long'])
})

it('opens no step before the ones in front of it are answered', () => {
  expect(furthestStep({ ...draft, quantity: '' })).toBe(1)
  expect(furthestStep({ ...draft, customerEmail: '' })).toBe(2)
  expect(furthestStep(draft)).toBe(3)
})

it('sends the first market id as the main one, and the list only when there are several', () => {
  const body = orderBody({ ...draft, marketIds: marketIdsIn('11111111 22222222 33333333') }, '5.10')
  expect(body).toMatchObject({ marketId: '11111111', pokecoinAmount: 120, totalAmount: '5.10', customerEmail: 'a@b' })
  expect(body.marketIds).toHaveLength(3)
  expect(orderBody({ ...draft, quantity: '5', marketIds: ['11111111'] }, '0.25')).not.toHaveProperty('marketIds')
})

it('takes spaces around an answer for the same draft', () => {
  expect(contentOf({ ...draft, customerEmail: 'a@b' })).toBe(contentOf(draft))
  for (const change of [{ quantity: '121' }, { marketIds: ['87654321'] }])
    expect(contentOf({ ...draft, ...change })).not.toBe(contentOf(draft))
})
