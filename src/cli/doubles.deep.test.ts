import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHere } from './testing/run-cli.ts'
import { NowPaymentsDouble } from '../payments/nowpayments/testing/nowpayments-double.ts'

let double: NowPaymentsDouble
beforeAll(async () => {
  double = await new NowPaymentsDouble().listen()
})
afterAll(async () => double.stop())

const doubles = async (...words: string[]) => runHere(['doubles', ...words, '--port', new URL(double.url).port])

it('doubles controls the running double and prints its calls and payments', async () => {
  const id = double.foreign({ reference: 'REFERENCE-1' })
  expect(await doubles('--do', 'short', '--payment', id)).toMatchObject({ code: 0 })
  expect(double.known(id)).toMatchObject({ status: 'partially_paid', paid: '0.14705883' })
  expect(JSON.parse((await doubles('--payments')).stdout)).toMatchObject([{ id, status: 'partially_paid' }])
  expect((await doubles('--calls')).stdout).toBe('[]\n')
})

it.for<[words: string[], code: number, line: RegExp]>([
  [['--do', 'pay', '--payment', '77'], 2, /^the double rejected the command: Payment not found/],
  [['--answer', 'sideways'], 2, /^the double rejected the command: an answer is one of 429, 500, 429-bare/],
  [[], 1, /cannot listen on port \d+ \(EADDRINUSE\); pass another with --port$/],
])('doubles %j ends with one line', async ([words, code, line]) => {
  const { stderr, ...ended } = await doubles(...words)
  expect(ended.code).toBe(code)
  expect(stderr.trim()).toMatch(line)
  expect(stderr.trim()).not.toContain('\n')
})
