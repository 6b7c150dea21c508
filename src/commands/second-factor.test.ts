import { expect, it } from 'vitest'
import { crash, type Fate } from '../engines/testing/interposed.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { stateId } from '../shop/message-notes.ts'
import { ADMIN_STREAM } from '../shop/hot/hot-states.ts'
import { takeCode } from '../shop/second-factor.ts'
import { codeAt, wrongCodeAt } from '../testing/authenticator.ts'
import { testShop, type TestShop } from '../testing/test-shop.ts'
import { ensureAdmin, setAdminPassword } from './admin-password.ts'
import { logInAdmin } from './log-in-admin.ts'
import { newSecondFactor, removeSecondFactor, requireSecondFactor, resetSecondFactor } from './second-factor.ts'

const EMAIL = 'owner@localhost'
const PASSWORD = 'correct horse battery'

async function shopWithOwner(options: Parameters<typeof testShop>[0] = {}): Promise<TestShop> {
  const test = await testShop(options)
  await test.ask(ensureAdmin, { email: EMAIL, password: PASSWORD })
  return test
}

type Given = { code?: string; isKnownBrowser?: boolean }

async function logIn({ context, caller }: TestShop, given: Given = {}, by: CommandContext = context) {
  return logInAdmin(by, caller(), { email: EMAIL, password: PASSWORD, ...given })
}

const outcomeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: unknown }).code,
  )

async function shopWithFactor(options: Parameters<typeof testShop>[0] = {}) {
  const test = await shopWithOwner(options)
  const { factorId, secret } = await newSecondFactor(test.context, { currentPassword: PASSWORD })
  const code = codeAt(secret, test.context.clock.now())
  const { recoveryCodes } = await test.ask(requireSecondFactor, { factorId, code })
  test.pass(1)
  return { test, factorId, recoveryCodes, secret, code: () => codeAt(secret, test.context.clock.now()) }
}

it('once login codes are on, the password alone opens no session', async () => {
  const { test, secret, code } = await shopWithFactor()
  expect(await outcomeOf(logIn(test))).toBe('admin/code-needed')
  expect(await outcomeOf(logIn(test, { code: wrongCodeAt(secret, test.context.clock.now()) }))).toBe('admin/wrong-code')
  expect(await outcomeOf(logIn(test, { code: code() }))).toBe('done')
  expect(await test.typesOf(ADMIN_STREAM)).toEqual(['AdminPasswordSet', 'SecondFactorRequired', 'SessionStarted'])
})

it('a code of an unconfirmed secret is not needed, and its wrong code turns nothing on', async () => {
  const test = await shopWithOwner()
  const { factorId, secret } = await newSecondFactor(test.context, { currentPassword: PASSWORD })
  const code = wrongCodeAt(secret, test.context.clock.now())
  expect(await outcomeOf(test.ask(requireSecondFactor, { factorId, code }))).toBe('admin/wrong-code')
  expect(await outcomeOf(logIn(test))).toBe('done')
})

it('a secret needs the password, and can be confirmed for ten minutes', async () => {
  const test = await shopWithOwner()
  expect(await outcomeOf(newSecondFactor(test.context, { currentPassword: 'a guess' }))).toBe('admin/wrong-password')
  const { factorId, secret } = await newSecondFactor(test.context, { currentPassword: PASSWORD })
  test.pass(11)
  const code = codeAt(secret, test.context.clock.now())
  expect(await outcomeOf(test.ask(requireSecondFactor, { factorId, code }))).toBe('admin/second-factor-expired')
  test.pass(60)
  await newSecondFactor(test.context, { currentPassword: PASSWORD })
  expect(await test.context.vault.notes('second-factor', [factorId])).toEqual([])
})

it('a second secret never replaces one that is required', async () => {
  const test = await shopWithOwner()
  const [first, second] = [
    await newSecondFactor(test.context, { currentPassword: PASSWORD }),
    await newSecondFactor(test.context, { currentPassword: PASSWORD }),
  ]
  const codeOf = (secret: string) => codeAt(secret, test.context.clock.now())
  await test.ask(requireSecondFactor, { factorId: first.factorId, code: codeOf(first.secret) })
  const given = { factorId: second.factorId, code: codeOf(second.secret) }
  expect(await outcomeOf(test.ask(requireSecondFactor, given))).toBe('admin/second-factor-on')
  expect(await outcomeOf(newSecondFactor(test.context, { currentPassword: PASSWORD }))).toBe('admin/second-factor-on')
  test.pass(1)
  expect(await outcomeOf(logIn(test, { code: codeOf(first.secret) }))).toBe('done')
})

it('a code opens one session, at two processes at once', async () => {
  const { test, code } = await shopWithFactor()
  const other = await test.anotherProcess()
  const given = { code: code() }
  const outcomes = await Promise.all([outcomeOf(logIn(test, given)), outcomeOf(logIn(test, given, other))])
  expect(outcomes.toSorted()).toEqual(['admin/wrong-code', 'done'])
  expect(await outcomeOf(logIn(test, given))).toBe('admin/wrong-code')
})

it('of codes that are checked at the same moment, each is taken once and five wrong ones are answered', async () => {
  const { test, factorId, secret, code, recoveryCodes } = await shopWithFactor()
  const countOf = async (given: string, isKnownBrowser: boolean) => {
    const takes = Array.from({ length: 8 }, async () =>
      outcomeOf(takeCode(test.context, factorId, { code: given, isKnownBrowser })),
    )
    const outcomes = await Promise.all(takes)
    return ['done', 'admin/wrong-code', 'admin/too-many-codes'].map((one) => outcomes.filter((is) => is === one).length)
  }
  expect(await countOf(code(), true)).toEqual([1, 7, 0])
  expect(await countOf(recoveryCodes[0] ?? '', true)).toEqual([1, 7, 0])
  expect(await countOf(wrongCodeAt(secret, test.context.clock.now()), false)).toEqual([0, 5, 3])
})

it('each recovery code opens one session, however it is typed', async () => {
  const { test, recoveryCodes } = await shopWithFactor()
  expect(recoveryCodes).toHaveLength(10)
  const [first = '', second = ''] = recoveryCodes
  expect(await outcomeOf(logIn(test, { code: first }))).toBe('done')
  expect(await outcomeOf(logIn(test, { code: first, isKnownBrowser: true }))).toBe('admin/wrong-code')
  expect(await outcomeOf(logIn(test, { code: second.toLowerCase().replaceAll('-', ' ') }))).toBe('done')
})

it('log and vault have no recovery code, and the log no secret', async () => {
  const { test, factorId, secret, recoveryCodes } = await shopWithFactor()
  const [note] = await test.context.vault.notes('second-factor', [factorId])
  const log = JSON.stringify(await test.context.log.readAllStored({ after: '', limit: 100 }))
  const { secret: stored } = (note?.value ?? {}) as { secret: string }
  for (const code of recoveryCodes)
    expect(JSON.stringify(note) + log).not.toMatch(new RegExp(`${code}|${code.replaceAll('-', '')}`))
  expect(log).not.toContain(stored)
  expect(log).not.toContain(secret)
})

it('five wrong codes at once, at two processes, close unknown browsers for 15 minutes', async () => {
  const { test, secret, code } = await shopWithFactor()
  const other = await test.anotherProcess()
  const wrong = { code: wrongCodeAt(secret, test.context.clock.now()) }
  const told = async () => (await test.context.vault.notes('state', [stateId('wrong-codes')])).length
  expect(await told()).toBe(0)
  const tries = Array.from({ length: 12 }, async (_, index) =>
    outcomeOf(logIn(test, wrong, index % 2 === 0 ? other : test.context)),
  )
  const outcomes = await Promise.all(tries)
  expect(outcomes.filter((one) => one === 'admin/wrong-code')).toHaveLength(5)
  expect(outcomes.filter((one) => one === 'admin/too-many-codes')).toHaveLength(7)
  expect(await told()).toBe(1)
  expect(await outcomeOf(logIn(test, { code: code() }))).toBe('admin/too-many-codes')
  // Without a code, a right password says nothing new.
  expect(await outcomeOf(logIn(test))).toBe('admin/code-needed')
  expect(await outcomeOf(logIn(test, { code: code(), isKnownBrowser: true }))).toBe('done')
  test.pass(14)
  expect(await outcomeOf(logIn(test, { code: code() }))).toBe('admin/too-many-codes')
  test.pass(2)
  expect(await outcomeOf(logIn(test, { code: code() }))).toBe('done')
})

it('turning login codes off needs a code, ends every session and deletes the secret', async () => {
  const { test, factorId, secret, code } = await shopWithFactor()
  await logIn(test, { code: code() })
  test.pass(1)
  const off = async (given: string) => outcomeOf(test.ask(removeSecondFactor, { code: given, isKnownBrowser: true }))
  expect(await off(wrongCodeAt(secret, test.context.clock.now()))).toBe('admin/wrong-code')
  expect(await off(code())).toBe('done')
  expect(test.context.hot.admin.state.sessions).toEqual([])
  expect(await test.context.vault.notes('second-factor', [factorId])).toEqual([])
  expect(await outcomeOf(logIn(test))).toBe('done')
})

it('a new password keeps the login codes on', async () => {
  const { test, code } = await shopWithFactor()
  await test.ask(setAdminPassword, PASSWORD)
  expect(await outcomeOf(logIn(test))).toBe('admin/code-needed')
  expect(await outcomeOf(logIn(test, { code: code() }))).toBe('done')
})

it('with a vault that lacks the secret a login is refused, and the reset opens it again', async () => {
  const { test, factorId, code } = await shopWithFactor()
  const [note] = await test.context.vault.notes('second-factor', [factorId])
  if (note) await test.context.vault.deleteNote('second-factor', note)
  for (const given of [{}, { code: code() }])
    await expect(logIn(test, given)).rejects.toMatchObject({
      code: 'admin/second-factor-lost',
      message: expect.stringContaining('npm run shop -- admin reset-second-factor'),
    })
  expect(await outcomeOf(logInAdmin(test.context, test.caller(), { email: EMAIL, password: 'a guess' }))).toBe(
    'admin/wrong-credentials',
  )
  expect((await resetSecondFactor(test.context, test.caller())).wasRequired).toBe(true)
  expect(await outcomeOf(logIn(test))).toBe('done')
})

it('codes that are turned on while a password is checked are needed for that login', async () => {
  const inBetween: (() => Promise<unknown>)[] = []
  const log: Fate = async (make, { name }) => {
    if (name === 'append') await inBetween.pop()?.()
    return make()
  }
  const test = await shopWithOwner({ fates: { log } })
  const { factorId, secret } = await newSecondFactor(test.context, { currentPassword: PASSWORD })
  const other = await test.anotherProcess()
  const code = codeAt(secret, test.context.clock.now())
  inBetween.push(async () => requireSecondFactor(other, test.caller(), { factorId, code }))
  expect(await outcomeOf(logIn(test))).toBe('admin/wrong-credentials')
})

/** Calls of vault and log while codes are turned on or off, and one. */
const CALLS = 11

it.for((['on', 'off'] as const).flatMap((turned) => Array.from({ length: CALLS }, (_, call) => ({ turned, call }))))(
  'killed at any call while codes are turned $turned, the owner can log in: $call',
  async ({ turned, call }) => {
    let left = Number.POSITIVE_INFINITY
    const { promise: isKilled, resolve: killed } = Promise.withResolvers<'killed'>()
    const dying: Fate = async (make, made) => {
      left -= 1
      if (left >= 0) return make()
      left = Number.POSITIVE_INFINITY
      killed('killed')
      return crash(make, made)
    }
    const test = await shopWithOwner({ fates: { vault: dying, log: dying } })
    const { factorId, secret } = await newSecondFactor(test.context, { currentPassword: PASSWORD })
    const code = () => codeAt(secret, test.context.clock.now())
    const turnOn = async (by = test.context) => requireSecondFactor(by, test.caller(), { factorId, code: code() })
    if (turned === 'off') await turnOn()
    test.pass(1)
    const dies = await test.anotherProcess()
    left = call
    const end = await Promise.race([
      isKilled,
      turned === 'on' ? turnOn(dies) : removeSecondFactor(dies, test.caller(), { code: code(), isKnownBrowser: true }),
    ])
    if (call === CALLS - 1) expect(end).not.toBe('killed')
    left = Number.POSITIVE_INFINITY

    const restarted = await test.anotherProcess()
    test.pass(1)
    const withoutCode = await outcomeOf(logIn(test, {}, restarted))
    expect(['done', 'admin/code-needed']).toContain(withoutCode)
    if (withoutCode === 'admin/code-needed') {
      expect(await outcomeOf(logIn(test, { code: code() }, restarted))).toBe('done')
      test.pass(1)
    }
    // The owner presses again, and has recovery codes that work.
    if (turned === 'off') return
    const { recoveryCodes } = await turnOn(restarted)
    expect(await outcomeOf(logIn(test, { code: recoveryCodes[0] ?? '' }, restarted))).toBe('done')
  },
)
