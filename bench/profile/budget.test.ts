import { describe, expect, it } from 'vitest'
import { budgetOf, sharesOf } from './budget.ts'
import type { CpuProfile } from './inspector.ts'
import { type Frame, stepOf } from './steps.ts'

const at = (functionName: string, url = ''): Frame => ({ functionName, url })
const own = (functionName: string, file: string): Frame => at(functionName, `file:///shop/src/${file}`)
const library = (functionName: string, name: string): Frame =>
  at(functionName, `file:///shop/node_modules/${name}/index.js`)
const node = (functionName: string): Frame => at(functionName, 'node:internal/streams')

describe('a step of an order', () => {
  it.for<[what: string, stack: Frame[], step: RegExp | undefined]>([
    ['nothing to do', [at('(idle)')], undefined],
    ['garbage', [at('(garbage collector)'), own('place', 'commands/place-order.ts')], /^collecting garbage/],
    ['a socket', [node('write'), node('onread')], /^HTTP/],
    ['the router', [library('next', 'router'), own('log', 'api/request-log.ts')], /^routing/],
    ['a contract', [library('parse', 'zod'), own('endpoint', 'api/endpoint.ts')], /^door/],
    [
      'the vault',
      [at('run'), own('insert', 'vault/sqlite-vault.ts'), own('place', 'commands/place-order.ts')],
      /^vault/,
    ],
    [
      'the schema of an event',
      [library('parse', 'zod'), own('encode', 'event-store/event-codec.ts')],
      /^log: validate/,
    ],
    ['a commit', [at('exec'), own('commit', 'event-store/sqlite-log.ts')], /^log: write/],
    ['a page of the log', [at('all'), own('allPage', 'event-store/sqlite-log.ts')], /^log: read/],
    ['the rules', [own('decide', 'domain/order/order.ts'), own('place', 'commands/place-order.ts')], /^commands/],
    [
      'the rules in a view',
      [own('evolve', 'domain/order/order-state.ts'), own('fold', 'projections/runner.ts')],
      /^views/,
    ],
    ['a sweep in a view', [at('all'), own('find', 'view-store/a.ts'), own('due', 'workers/sweep.ts')], /^workers/],
    ['the follower', [own('evolve', 'domain/x.ts'), own('tell', 'shop/hot/follower.ts')], /^following/],
    ['the start of the program', [own('open', 'open.ts')], /^other/],
  ])('%s', ([, stack, step]) => {
    if (step) expect(stepOf(stack)).toMatch(step)
    else expect(stepOf(stack)).toBeUndefined()
  })
})

/** Samples of one millisecond each: two of sealing under a command, one of the command itself, one of nothing. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: at('(root)'), children: [2, 4] },
    { id: 2, callFrame: own('placeOrder', 'commands/place-order.ts'), children: [3] },
    { id: 3, callFrame: own('seal', 'event-store/sealing.ts') },
    { id: 4, callFrame: at('(idle)') },
  ],
  samples: [3, 2, 4, 3],
  timeDeltas: [1_000, 1_000, 1_000, 1_000],
}

describe('the budget of an order', () => {
  it('shares the time among who was at work', () =>
    expect([...sharesOf(profile)]).toStrictEqual([
      ['sealing (AES-256-GCM)', 0.5],
      ['commands: price, decide, fold (src/commands, src/domain)', 0.25],
    ]))

  it('adds up to the whole, with what is waiting', () => {
    const budget = budgetOf([profile], { name: '64 connections', orders: 10, seconds: 0.004 })
    expect(budget.wholeMicroseconds).toBe(400)
    expect(budget.lines.map(({ microseconds }) => microseconds)).toStrictEqual([100, 200, 100])
    expect(budget.lines.at(-1)?.step).toMatch(/^waiting/)
  })

  it('tells other threads beside it', () => {
    const budget = budgetOf([profile, profile, profile], { name: '', orders: 10, seconds: 0.004 })
    expect(budget.lines.reduce((sum, { microseconds }) => sum + microseconds, 0)).toBe(400)
    expect(budget.beside).toContainEqual({ step: 'sealing (AES-256-GCM)', microseconds: 400 })
  })
})
