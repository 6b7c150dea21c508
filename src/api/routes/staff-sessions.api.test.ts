import { expect, it } from 'vitest'
import { VaultAway } from '../../engines/vault/vault.ts'
import { codeAt } from '../../testing/authenticator.ts'
import { shopOfEach, shopOfTest } from '../../testing/shops.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../testing/start-shop.ts'
import type { StaffSessions } from '../contract/admin.ts'

const shop = shopOfEach({ env: { TRUST_PROXY: '1' } })
const credentials = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
const firefox = {
  'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'X-Forwarded-For': '203.0.113.7',
}
const safari = {
  'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
  'X-Forwarded-For': '2001:db8:7:1::9',
}
const MINUTE_MS = 60_000

type Headers = Record<string, string>

async function logIn(headers: Headers, code?: string) {
  const { body } = await shop.post('/api/admin/login', { ...credentials, code }, { headers })
  return { token: String(body['token']), headers }
}
const list = async (session: { token: string; headers?: Headers }) =>
  (await shop.get('/api/admin/sessions', session)).body['sessions'] as StaffSessions['sessions']
const rows = async () => shop.context.vault.dueNotes('session', { before: Number.MAX_SAFE_INTEGER, limit: 100 })
const statusOf = async (session: { token: string }) => (await shop.get('/api/orders', session)).status
const sweep = async () => {
  const policy = shop.policies.find(({ name }) => name === 'tidy-sessions')
  for (const job of (await policy?.due(shop.now())) ?? [])
    await policy?.run(job, { requestId: 'sweep', correlationId: 'sweep', causationId: null, actor: 'system' })
}

it('sessions are listed with browser, network, and when each was first and last seen', async () => {
  const office = await logIn(firefox)
  shop.advance(MINUTE_MS)
  const phone = await logIn(safari)
  shop.advance(5 * MINUTE_MS)
  const [older, newer] = await list(phone)
  expect(newer).toMatchObject({ browser: 'Safari on iOS', network: '2001:0db8:0007::/48', isThis: true })
  expect(older).toMatchObject({ browser: 'Firefox on Windows', network: '203.0.113.0/24', isThis: false })
  expect([newer, older].map((one) => [one?.firstSeen, one?.lastSeen].map((at) => at?.slice(11, 16)))).toEqual([
    ['00:01', '00:06'],
    ['00:00', '00:00'],
  ])
  expect((await list(office)).map(({ isThis }) => isThis)).toEqual([true, false])
})

it('the row of a session is written every five minutes at most', async () => {
  const office = await logIn(firefox)
  const versions: (number | undefined)[] = []
  for (let minutes = 0; minutes < 11; minutes += 1) {
    await list(office)
    versions.push((await rows())[0]?.version)
    shop.advance(MINUTE_MS)
  }
  expect(versions).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3])
})

it('the log has no browser and no network, the vault no address and no agent', async () => {
  const office = await logIn(firefox)
  await list(office)
  const log = JSON.stringify(await shop.eventsOf('admin-owner'))
  for (const trace of ['203.0.113', 'Firefox', 'Windows']) expect(log).not.toContain(trace)
  expect((await rows()).map(({ value }) => value)).toEqual([
    { browser: 'Firefox on Windows', network: '203.0.113.0/24' },
  ])
})

it('one session is ended, or all others are, and the sweep deletes their rows', async () => {
  const [own, second, third] = [await logIn(firefox), await logIn(safari), await logIn(safari)]
  const others = (await list(own)).filter(({ isThis }) => !isThis).map(({ id }) => id)
  const end = async (ids: readonly string[]) => (await shop.post('/api/admin/sessions/end', { ids }, own)).status
  expect([await end(others.slice(1)), await end(others.slice(1))]).toEqual([200, 200])
  expect([await statusOf(own), await statusOf(second), await statusOf(third)]).toEqual([200, 200, 401])
  expect(await end(others)).toBe(200)
  expect([await statusOf(own), await statusOf(second), await statusOf(third)]).toEqual([200, 401, 401])
  await sweep()
  expect((await rows()).map(({ id }) => id)).toEqual((await list(own)).map(({ id }) => id))
})

it('ending another session needs a code of the last 15 minutes', async () => {
  const first = await logIn(firefox)
  const start = await shop.post('/api/admin/second-factor/start', { currentPassword: ADMIN_PASSWORD }, first)
  const { factorId, secret } = start.body as { factorId: string; secret: string }
  await shop.post('/api/admin/second-factor/on', { factorId, code: codeAt(secret, shop.now()) }, first)
  shop.advance(MINUTE_MS)
  const own = await logIn(safari, codeAt(secret, shop.now()))
  const ids = (await list(own)).map(({ id }) => id)
  const end = async (by: { token: string }, ended: readonly string[]) =>
    (await shop.post('/api/admin/sessions/end', { ids: ended }, by)).body['code']
  expect(await end(first, ids)).toBe('admin/second-factor-required')
  expect(await end(own, ids.slice(0, 1))).toBeUndefined()
  expect([await statusOf(own), await statusOf(first)]).toEqual([200, 401])
})

it.for([
  ['a logout', async (own: { token: string }) => shop.post('/api/admin/logout', {}, own)],
  [
    'a new password',
    async (own: { token: string }) =>
      shop.post('/api/admin/password', { currentPassword: ADMIN_PASSWORD, newPassword: 'battery staple horse' }, own),
  ],
  ['a new password in another process', async () => shop.setPasswordElsewhere('battery staple horse')],
] as const)('after %s, the sweep deletes the rows of the sessions that it ended', async ([, end]) => {
  const own = await logIn(firefox)
  expect(await rows()).toHaveLength(1)
  await end(own)
  await sweep()
  expect(await rows()).toEqual([])
})

it('a sweep deletes the rows of expired sessions and of those that the log does not know', async () => {
  const office = await logIn(firefox)
  const stray = { id: 'of another log', value: { browser: 'Edge', network: '192.0.2.0/24' }, due: shop.now() }
  await shop.context.vault.writeNote('session', stray, 'absent')
  await sweep()
  expect((await rows()).map(({ id }) => id)).toEqual((await list(office)).map(({ id }) => id))
  shop.advance(12 * 60 * MINUTE_MS)
  await sweep()
  expect(await rows()).toEqual([])
})

it('a session whose row was lost works, and has one again within five minutes', async () => {
  const office = await logIn(firefox)
  for (const note of await rows()) await shop.context.vault.deleteNote('session', note)
  expect(await list(office)).toMatchObject([{ browser: null, network: null, isThis: true }])
  shop.advance(5 * MINUTE_MS)
  expect(await list(office)).toMatchObject([{ browser: 'Firefox on Windows' }])
})

it('staff work on while the vault cannot write where they are', async () => {
  const away = await shopOfTest({
    wrapVault: (vault) => ({
      ...vault,
      notes: async (kind, ids) =>
        kind === 'session' ? Promise.reject(new VaultAway('played')) : vault.notes(kind, ids),
      dueNotes: async (kind, wanted) =>
        kind === 'session' ? Promise.reject(new VaultAway('played')) : vault.dueNotes(kind, wanted),
    }),
  })
  const token = await away.logIn()
  expect((await away.get('/api/orders', { token })).status).toBe(200)
  expect((await away.get('/api/admin/sessions', { token })).status).toBe(503)
  expect((await away.post('/api/admin/logout', {}, { token })).status).toBe(200)
})
