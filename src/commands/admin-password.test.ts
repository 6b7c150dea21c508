import { expect, it } from 'vitest'
import { hasSession } from '../domain/admin/admin.ts'
import { changeAdminPassword, ensureAdmin, setAdminPassword } from './admin-password.ts'
import { ADMIN_STREAM } from '../shop/hot/hot-states.ts'
import { logInAdmin, endSessions } from './log-in-admin.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'
import { away, crashed, type Fate } from '../engines/testing/interposed.ts'
import { testShop, type TestShop } from '../testing/test-shop.ts'

const EMAIL = 'owner@localhost'
const PASSWORD = 'correct horse battery'
const NEW = 'another good password'

async function shopWithOwner(options: Parameters<typeof testShop>[0] = {}): Promise<TestShop> {
  const test = await testShop(options)
  await test.ask(ensureAdmin, { email: EMAIL, password: PASSWORD })
  return test
}

async function logIn({ context, caller }: TestShop, password: string, by: CommandContext = context) {
  return logInAdmin(by, caller(), { email: EMAIL, password })
}

async function change({ context, caller }: TestShop, newPassword = NEW) {
  return changeAdminPassword(context, caller(), { currentPassword: PASSWORD, newPassword })
}

async function isLoggedIn(context: CommandContext, sessionId: string): Promise<boolean> {
  await context.hot.admin.refresh()
  return hasSession(context.hot.admin.state, sessionId, nowText(context))
}

it("of two first starts only one creates the owner's account and prints a password", async () => {
  const test = await testShop()
  const other = await test.anotherProcess()
  const first = { email: EMAIL, password: undefined }
  const made = await Promise.all([test.ask(ensureAdmin, first), ensureAdmin(other, test.caller(), first)])
  const passwords = made.flatMap(({ madePassword }) => madePassword ?? [])
  expect(passwords).toHaveLength(1)
  expect(await test.typesOf(ADMIN_STREAM)).toEqual(['AdminPasswordSet'])
  await logIn(test, passwords[0] ?? '')
})

it("the owner's account keeps its first e-mail and password at later starts", async () => {
  const test = await shopWithOwner()
  const again = await test.ask(ensureAdmin, { email: 'other@localhost', password: 'some other text' })
  expect(again).toEqual({ email: EMAIL, madePassword: undefined, isUntouched: true })
  await logIn(test, PASSWORD)
})

it("the owner's account is untouched until the first log-in or a new password", async () => {
  const first = { email: EMAIL, password: undefined }
  for (const touch of [logIn, async (test: TestShop) => test.ask(setAdminPassword, NEW)]) {
    const test = await shopWithOwner()
    expect((await test.ask(ensureAdmin, first)).isUntouched).toBe(true)
    await touch(test, PASSWORD)
    expect((await ensureAdmin(await test.anotherProcess(), test.caller(), first)).isUntouched).toBe(false)
  }
})

it('the log contains no password and no hash', async () => {
  const test = await shopWithOwner()
  await change(test)
  const text = JSON.stringify(await test.context.log.readAllStored({ after: '', limit: 100 }))
  expect(text).not.toMatch(/argon2|correct horse|another good/)
})

it('logging in starts a session in every process until logging out', async () => {
  const test = await shopWithOwner()
  const other = await test.anotherProcess()
  const { sessionId } = await logIn(test, PASSWORD)
  expect(await isLoggedIn(other, sessionId)).toBe(true)
  await test.ask(endSessions, [sessionId])
  expect(await isLoggedIn(other, sessionId)).toBe(false)
})

it('logging in fails while the log is away', async () => {
  const test = await shopWithOwner()
  test.store.failNext(ADMIN_STREAM, away)
  await expect(logIn(test, PASSWORD)).rejects.toMatchObject({ name: 'EventStoreAway' })
})

it('the old password is rejected when it is changed while it is being checked', async () => {
  const afterReading: (() => Promise<unknown>)[] = []
  const vault: Fate = async (make, { name }) => {
    const answer = await make()
    if (name === 'passwordHash') await afterReading.pop()?.()
    return answer
  }
  const test = await shopWithOwner({ fates: { vault } })
  afterReading.push(async () => change(test))
  await expect(logIn(test, PASSWORD)).rejects.toMatchObject({ code: 'admin/wrong-credentials' })
  expect(await test.typesOf(ADMIN_STREAM)).toEqual(['AdminPasswordSet', 'AdminPasswordSet'])
  await logIn(test, NEW)
})

it('only one of two concurrent changes sets the password', async () => {
  const test = await shopWithOwner()
  const changes = await Promise.allSettled([change(test, 'the first of them'), change(test, 'the second of them')])
  expect(changes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await test.typesOf(ADMIN_STREAM)).toEqual(['AdminPasswordSet', 'AdminPasswordSet'])
})

it('the next log-in appends a new password whose process died in between', async () => {
  const test = await shopWithOwner()
  const { sessionId } = await logIn(test, PASSWORD)
  const isDead = crashed(test.store, ADMIN_STREAM)
  void change(test)
  await isDead
  await expect(logIn(test, PASSWORD)).rejects.toMatchObject({ code: 'admin/wrong-credentials' })
  await logIn(test, NEW)
  expect(await isLoggedIn(test.context, sessionId)).toBe(false)
  expect(await test.typesOf(ADMIN_STREAM)).toEqual([
    'AdminPasswordSet',
    'SessionStarted',
    'AdminPasswordSet',
    'SessionStarted',
  ])
})

it('the next start appends a new password whose process died in between', async () => {
  const test = await shopWithOwner()
  const isDead = crashed(test.store, ADMIN_STREAM)
  void change(test)
  await isDead
  const restarted = await test.anotherProcess()
  await ensureAdmin(restarted, test.caller(), { email: EMAIL, password: undefined })
  expect(await test.typesOf(ADMIN_STREAM)).toEqual(['AdminPasswordSet', 'AdminPasswordSet'])
  await logIn(test, NEW, restarted)
})
