import { expect, it } from 'vitest'
import { rememberedRates } from './crypto-rates.ts'

const MINUTE_MS = 60_000

/** Counts the calls; with `failsFirst` the first one fails. */
function rates({ failsFirst = false } = {}) {
  let asked = 0
  let nowMs = 0
  const answer = async () => {
    asked += 1
    if (failsFirst && asked === 1) throw new Error('no answer')
    return '0.1'
  }
  const known = rememberedRates({ currencies: async () => [], estimate: answer, minAmount: answer }, () => nowMs)
  const ask = async () => known.estimate({ amount: '1.00', currency: 'usd' }, 'ltc')
  return { ask, asked: () => asked, pass: (ms: number) => (nowMs += ms) }
}

it('asks for a rate once a minute', async () => {
  const { ask, asked, pass } = rates()
  await Promise.all([ask(), ask()])
  pass(MINUTE_MS - 1)
  await ask()
  expect(asked()).toBe(1)
  pass(1)
  await ask()
  expect(asked()).toBe(2)
})

it('asks again after a failure', async () => {
  const { ask, asked } = rates({ failsFirst: true })
  await expect(ask()).rejects.toThrow('no answer')
  expect(await ask()).toBe('0.1')
  expect(asked()).toBe(2)
})
