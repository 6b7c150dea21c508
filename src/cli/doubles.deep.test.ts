import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { MessageDoubles } from '../messages/testing/message-doubles.ts'
import { waysOf } from '../messages/ways.ts'
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

it('doubles prints the messages that the shop sent, and plays a fault of a way', async () => {
  const messages = await new MessageDoubles().listen(Number(new URL(double.url).port) + 4)
  const ways = waysOf(parseConfig(messages.env), { now: Date.now, sender: () => ({ name: 'Shop', replyTo: null }) })
  expect(ways.map(({ name }) => name)).toEqual(['mail', 'discord', 'telegram'])
  for (const way of ways) await way.send({ id: 'a', to: undefined, subject: 'One', text: '12 orders to hand over' })
  for (const { name } of ways)
    expect((await doubles('--provider', name, '--calls')).stdout).toContain('12 orders to hand over')
  expect(await doubles('--provider', 'discord', '--answer', 'keys')).toMatchObject({ code: 0 })
  await expect(ways[1]?.check()).rejects.toThrow('does not know the webhook')
  await ways[1]?.check()
  for (const way of ways) await way.close()
  await messages.stop()
})

it.for<[words: string[], code: number, line: RegExp]>([
  [['--do', 'pay', '--payment', '77'], 2, /^the double rejected the command: Payment not found/],
  [['--answer', 'sideways'], 2, /^the double rejected the command: an answer is one of 429, 500, 429-bare/],
  [['--provider', 'paypall', '--calls'], 2, /^--provider is one of nowpayments, .*, telegram, not 'paypall' /],
  [[], 1, /cannot listen on port \d+ \(EADDRINUSE\); pass another with --port$/],
])('doubles %j ends with one line', async ([words, code, line]) => {
  const { stderr, ...ended } = await doubles(...words)
  expect(ended.code).toBe(code)
  expect(stderr.trim()).toMatch(line)
  expect(stderr.trim()).not.toContain('\n')
})
