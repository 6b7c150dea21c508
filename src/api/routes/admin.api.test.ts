import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeAt, wrongCodeAt } from '../../testing/authenticator.ts'
import { orderBody, placedBy } from '../../testing/orders.ts'
import { shopOfEach, shopOfTest, suiteShop } from '../../testing/shops.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, type WrapStore } from '../../testing/start-shop.ts'
import type { Received } from '../../testing/http-client.ts'

const credentials = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
const codeOf = ({ status, body }: Received) => ({ status, code: body['code'] })
const notSignedIn = { status: 401, code: 'admin/not-signed-in' }

function cookieFrom({ headers }: Received): string {
  const cookie = headers.getSetCookie().find((text) => text.startsWith('admin_session='))
  return cookie?.split(';')[0] ?? ''
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}

describe('logging in', () => {
  const shop = suiteShop()

  it('logging in returns a token and a cookie that scripts cannot read', async () => {
    const answer = await shop.post('/api/admin/login', { ...credentials, email: ' Owner@LocalHost ' })
    expect(answer.status).toBe(200)
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('admin_session='))
    expect(cookie).toMatch(/; Path=\/api; Max-Age=43200; HttpOnly; SameSite=Strict$/)
    expect((await shop.eventsOf('admin-owner')).at(-1)?.type).toBe('SessionStarted')
  })

  it('the cookie is secure when the shop is', async () => {
    const secure = await shopOfTest({ env: { PUBLIC_URL: 'https://shop.example' } })
    const { headers } = await secure.post('/api/admin/login', credentials)
    for (const cookie of headers.getSetCookie()) expect(cookie).toMatch(/; Secure$/)
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })

  it.for([
    ['a wrong password', { password: 'wrong horse' }],
    ["a stranger's address", { email: 'mallory@example.com' }],
  ] as const)('logging in is rejected for %s and writes nothing', async ([, changes]) => {
    const before = await shop.context.log.head()
    const answer = await shop.post('/api/admin/login', { ...credentials, ...changes })
    expect(codeOf(answer)).toEqual({ status: 401, code: 'admin/wrong-credentials' })
    expect(answer.body['message']).toBe('Login failed. Please check your credentials.')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await shop.context.log.head()).toBe(before)
  })
})

describe('a session', () => {
  const shop = shopOfEach()

  it('logging out ends the session and removes its cookie', async () => {
    const token = await shop.logIn()
    const other = await shop.logIn()
    const out = await shop.post('/api/admin/logout', {}, { token })
    expect(out.status).toBe(200)
    expect(out.headers.getSetCookie().join()).toContain('admin_session=; Path=/api; Max-Age=0')
    expect(codeOf(await shop.get('/api/orders', { token }))).toEqual(notSignedIn)
    expect((await shop.get('/api/admin/verify', { token })).body['passwordChanged']).toBeUndefined()
    expect((await shop.get('/api/orders', { token: other })).status).toBe(200)
  })

  it('a new password ends every session', async () => {
    const [token, other] = [await shop.logIn(), await shop.logIn()]
    shop.advance(1_000)
    const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'battery staple horse' }
    expect((await shop.post('/api/admin/password', change, { token })).status).toBe(200)
    for (const ended of [token, other])
      expect(codeOf(await shop.get('/api/orders', { token: ended }))).toEqual(notSignedIn)
    expect((await shop.post('/api/admin/login', credentials)).status).toBe(401)
    expect((await shop.post('/api/admin/login', { ...credentials, password: change.newPassword })).status).toBe(200)
  })

  it('a session ends when the password is changed in another process', async () => {
    let isBlind = false
    const blind: WrapStore = (store) => ({
      ...store,
      readAll: async (page) => (isBlind ? [] : store.readAll(page)),
      waitForEvents: async (wait) => (isBlind ? aborted(wait.signal) : store.waitForEvents(wait)),
    })
    // This process follows the log late: a request has to read it.
    const other = await shopOfTest({ wrapStore: blind })
    const token = await other.logIn()
    other.advance(1_000)
    isBlind = true
    await other.setPasswordElsewhere('set on the machine itself')
    const verify = await other.get('/api/admin/verify', { token })
    expect(verify).toMatchObject({ status: 401, body: { passwordChanged: true } })
  })

  it('a token that was not signed here opens no session', async () => {
    const token = await shop.logIn()
    const [head = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1))
    const forged = [
      `${none}.${payload}.`,
      `${head}.${payload}.${signature.split('').reverse().join('')}`,
      foreign,
      'nonsense',
      'a'.repeat(5_000),
    ]
    for (const text of forged) expect(codeOf(await shop.get('/api/orders', { token: text }))).toEqual(notSignedIn)
  })
})

describe('a change by cookie', () => {
  const shop = suiteShop()
  let cookie: string
  beforeAll(async () => {
    cookie = cookieFrom(await shop.post('/api/admin/login', credentials))
  })

  const change = async (headers: Record<string, string>) =>
    shop.patch('/api/payment-settings', { pack1Amount: 11 }, { headers: { cookie, ...headers } })

  it.for(['/api/admin/logout', '/API/admin/logout/', '/api/admin/login'])(
    'a form of another site, which has no cookie, is rejected at %s',
    async (path) => {
      const headers = { Origin: 'https://evil.example', 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await shop.post(path, undefined, { headers, raw: '' })
      expect(codeOf(answer)).toEqual({ status: 403, code: 'request/cross-origin' })
      expect(answer.headers.get('set-cookie')).toBeNull()
    },
  )

  it.for([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour of the shop', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example' }],
    ['nowhere', { Origin: 'null' }],
  ] as const)('a change by cookie is rejected when %s asks for it', async ([, headers]) => {
    const before = await shop.context.log.head()
    expect(codeOf(await change(headers))).toEqual({ status: 403, code: 'request/cross-origin' })
    expect(await shop.context.log.head()).toBe(before)
  })

  it('a change by cookie is made when the shop itself asks for it', async () => {
    const own = { Origin: shop.url, 'Sec-Fetch-Site': 'same-origin' }
    for (const headers of [own, { Origin: 'http://localhost:3000' }, {}])
      expect((await change(headers)).status).toBe(200)
  })
})

describe('the dashboard', () => {
  const shop = suiteShop()

  it('every route of staff answers 401 without a session', async () => {
    const orderId = await placedBy(shop)
    const staffRoutes = shop.api.routes.filter(({ who }) => who === 'staff')
    expect(staffRoutes.length).toBeGreaterThanOrEqual(10)
    const before = await shop.context.log.head()
    for (const { method, path } of staffRoutes) {
      const address = path.replace(':id', orderId)
      const sent = { headers: { authorization: 'Bearer nonsense', cookie: 'admin_session=nonsense' } }
      for (const headers of [undefined, sent]) {
        const response = await fetch(`${shop.url}${address}`, { method: method.toUpperCase(), ...headers })
        const body = (await response.json()) as Record<string, unknown>
        expect({ method, path, status: response.status, code: body['code'] }).toEqual({ method, path, ...notSignedIn })
      }
    }
    expect(await shop.context.log.head()).toBe(before)
  })

  it('staff erase a customer, but not while an order is open', async () => {
    const other = await shopOfTest()
    const token = await other.logIn()
    const erase = async (email: string) => other.post('/api/admin/erase-customer', { email }, { token })
    const { body } = await other.post('/api/orders', orderBody())
    const refused = await erase('ash@example.com')
    expect(codeOf(refused)).toEqual({ status: 409, code: 'customer/has-open-orders' })
    expect(refused.body['orderNumbers']).toEqual([body['orderNumber']])
    await other.post('/api/complete-payment', { orderId: body['id'] }, { token })
    const erased = await erase(' ASH@example.com ')
    expect({ status: erased.status, body: erased.body }).toEqual({
      status: 200,
      body: { success: true, erased: true, message: 'This person was erased.' },
    })
    const shown = await other.get(`/api/orders/${String(body['id'])}`, { token })
    expect(shown.body).toMatchObject({ customerEmail: 'erased', discordUsername: 'erased', totalAmount: '2.25' })
    expect((await other.get('/api/orders?search=ash', { token })).body['orders']).toEqual([])
    expect(codeOf(await erase('ash@example.com'))).toEqual({ status: 404, code: 'customer/not-found' })
    expect(codeOf(await erase('ash'))).toEqual({ status: 400, code: 'request/invalid' })
  })
})

describe('the limits', () => {
  const shop = suiteShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } })

  const logIn = async (password: string, address = '192.0.2.1') =>
    shop.post('/api/admin/login', { ...credentials, password }, from(address))

  it('the limits stop guessing a password, counted since the last success and per address', async () => {
    for (let tries = 0; tries < 9; tries += 1) expect((await logIn('wrong horse')).status).toBe(401)
    expect((await logIn(ADMIN_PASSWORD)).status).toBe(200)
    for (let tries = 0; tries < 10; tries += 1) expect((await logIn('wrong horse')).status).toBe(401)
    const stopped = await logIn('wrong horse')
    expect(codeOf(stopped)).toEqual({ status: 429, code: 'request/too-many' })
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await logIn(ADMIN_PASSWORD)).status).toBe(429)
    expect((await logIn(ADMIN_PASSWORD, '192.0.2.2')).status).toBe(200)
  })

  it('the limits stop guessing the current password within a session', async () => {
    const token = await shop.logIn()
    const change = { currentPassword: 'wrong horse', newPassword: 'battery staple horse' }
    for (let tries = 0; tries < 10; tries += 1)
      expect((await shop.post('/api/admin/password', change, { token })).status).toBe(403)
    expect((await shop.post('/api/admin/password', change, { token })).status).toBe(429)
  })

  const orderId = '00000000-0000-4000-8000-000000000000'
  const paid = { orderId, amount: '1.00' }

  it.each([
    [1, '/api/crypto/create-payment', paid],
    [2, '/api/crypto/currencies', undefined],
    [3, '/api/crypto/estimate?amount=1&currency_from=usd&currency_to=ltc', undefined],
    [4, '/api/crypto/min-amount?currency_from=ltc', undefined],
    [5, '/api/upigateway/create-order', { ...paid, customerInfo: { customerPhone: '9876543210' } }],
    [6, '/api/paypal/order', paid],
    [7, '/api/paypal/order/1AB23456CD789012E/capture', { orderId }],
    [8, '/api/paypal/setup', undefined],
  ])('the limits bound how often one network makes the shop call a provider: %i %s', async (host, path, body) => {
    const network = from(`198.51.100.${host}`)
    const answers = []
    for (let calls = 0; calls < 61; calls += 1)
      answers.push((await (body ? shop.post(path, body, network) : shop.get(path, network))).status)
    expect(answers.indexOf(429)).toBe(60)
  })
})

it('logins are counted per caller, whatever port or junk the proxy writes', async () => {
  const shop = await shopOfTest({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } })
  const answersTo = async (address: (tries: number) => string) => {
    const statuses = []
    for (let tries = 0; tries < 11; tries += 1) {
      const login = { ...credentials, password: 'wrong horse' }
      statuses.push((await shop.post('/api/admin/login', login, from(address(tries)))).status)
    }
    return statuses
  }
  const stopped = [...Array<number>(10).fill(401), 429]
  expect(await answersTo((tries) => `203.0.113.7:${51_000 + tries}`)).toEqual(stopped)
  expect(await answersTo((tries) => `junk ${tries}`)).toEqual(stopped)
})

describe('login codes', () => {
  const shop = shopOfEach()
  const now = () => shop.context.clock.now()

  async function turnOn() {
    const token = await shop.logIn()
    const start = await shop.post('/api/admin/second-factor/start', { currentPassword: ADMIN_PASSWORD }, { token })
    const { factorId, secret, uri } = start.body as { factorId: string; secret: string; uri: string }
    const on = await shop.post('/api/admin/second-factor/on', { factorId, code: codeAt(secret, now()) }, { token })
    shop.advance(60_000)
    const { recoveryCodes } = on.body as { recoveryCodes: string[] }
    return { token, secret, uri, recoveryCodes, code: () => codeAt(secret, now()) }
  }

  it('a login answers that a code is needed, takes it in its body, and takes each once', async () => {
    const { code, uri, secret } = await turnOn()
    expect(uri).toBe(
      `otpauth://totp/Test%20shop%3A${encodeURIComponent(ADMIN_EMAIL)}?secret=${secret}&issuer=Test%20shop`,
    )
    expect(codeOf(await shop.post('/api/admin/login', credentials))).toEqual({ status: 401, code: 'admin/code-needed' })
    const wrong = await shop.post('/api/admin/login', { ...credentials, password: 'wrong', code: code() })
    expect(codeOf(wrong)).toEqual({ status: 401, code: 'admin/wrong-credentials' })
    const answers = [await shop.post('/api/admin/login', { ...credentials, code: code() })]
    answers.push(await shop.post('/api/admin/login', { ...credentials, code: code() }))
    expect(answers.map(codeOf)).toEqual([
      { status: 200, code: undefined },
      { status: 403, code: 'admin/wrong-code' },
    ])
    expect(answers[1]?.headers.getSetCookie()).toEqual([])
  })

  it('a new password, an erasure and an export need a code of the last 15 minutes, by token and by cookie', async () => {
    const { code } = await turnOn()
    const login = await shop.post('/api/admin/login', { ...credentials, code: code() })
    const callers = [{ token: String(login.body['token']) }, { headers: { cookie: cookieFrom(login) } }]
    const calls = callers.flatMap((caller) => [
      async () => shop.post('/api/admin/erase-customer', { email: 'ann@example.com' }, caller),
      async () => shop.post('/api/orders.csv', {}, caller),
      async () => shop.get('/api/orders.csv', caller),
      async () =>
        shop.post('/api/admin/password', { currentPassword: 'wrong', newPassword: 'another password' }, caller),
    ])
    const outcomes = async () => {
      const answers: unknown[] = []
      for (const call of calls) answers.push(codeOf(await call()))
      return answers
    }
    const allowed = [
      { status: 404, code: 'customer/not-found' },
      { status: 200, code: undefined },
      { status: 200, code: undefined },
      { status: 403, code: 'admin/wrong-password' },
    ]
    expect(await outcomes()).toEqual([...allowed, ...allowed])
    shop.advance(15 * 60_000)
    expect(await outcomes()).toEqual(calls.map(() => ({ status: 403, code: 'admin/second-factor-required' })))
    expect((await shop.post('/api/admin/second-factor', { code: code() }, callers[0])).status).toBe(200)
    expect(await outcomes()).toEqual([...allowed, ...allowed])
    const again = await shop.post('/api/admin/second-factor', { code: code() }, callers[0])
    expect(codeOf(again)).toEqual({ status: 403, code: 'admin/wrong-code' })
  })

  it('a script that has logged in goes on setting prices by its token', async () => {
    const { token } = await turnOn()
    shop.advance(15 * 60_000)
    const headers = { 'If-Match': '*' }
    expect((await shop.patch('/api/payment-settings', { pack1Amount: 11 }, { token, headers })).status).toBe(200)
  })

  it('the settings show that codes are on, and the recovery codes left', async () => {
    const { token, recoveryCodes } = await turnOn()
    const state = async () => (await shop.get('/api/admin/second-factor', { token })).body
    expect(await state()).toEqual({ isOn: true, recoveryCodesLeft: 10 })
    await shop.post('/api/admin/login', { ...credentials, code: recoveryCodes[3] })
    expect(await state()).toEqual({ isOn: true, recoveryCodesLeft: 9 })
  })

  it('turning codes off needs a code, and ends the session', async () => {
    const { token, code, secret } = await turnOn()
    const off = async (given: string) => shop.post('/api/admin/second-factor/off', { code: given }, { token })
    expect(codeOf(await off(wrongCodeAt(secret, now())))).toEqual({ status: 403, code: 'admin/wrong-code' })
    expect((await off(code())).status).toBe(200)
    expect(codeOf(await shop.get('/api/orders', { token }))).toEqual(notSignedIn)
    expect((await shop.post('/api/admin/login', credentials)).status).toBe(200)
  })

  it('five wrong codes close unknown browsers, but none that the owner has logged in from', async () => {
    const { code, secret } = await turnOn()
    const known = await shop.post('/api/admin/login', { ...credentials, code: code() })
    const cookie =
      known.headers
        .getSetCookie()
        .find((text) => text.startsWith('known_browser='))
        ?.split(';')[0] ?? ''
    const guess = async () => shop.post('/api/admin/login', { ...credentials, code: wrongCodeAt(secret, now()) })
    for (let guesses = 0; guesses < 5; guesses += 1) expect((await guess()).status).toBe(403)
    const sixth = await guess()
    expect(codeOf(sixth)).toEqual({ status: 429, code: 'admin/too-many-codes' })
    expect(sixth.headers.get('retry-after')).toBe('900')
    shop.advance(60_000)
    const again = await shop.post('/api/admin/login', { ...credentials, code: code() }, { headers: { cookie } })
    expect(again.status).toBe(200)
    const started = (await shop.eventsOf('admin-owner')).filter(({ type }) => type === 'SessionStarted')
    expect(started.slice(-2).map(({ data }) => data)).toMatchObject([{ isNewBrowser: true }, { isNewBrowser: false }])
  })

  it('a right password alone never resets the count of logins', async () => {
    const limited = await shopOfTest({ env: { RATE_LIMIT: 'on' } })
    const token = await limited.logIn()
    const at = () => limited.context.clock.now()
    const start = await limited.post('/api/admin/second-factor/start', { currentPassword: ADMIN_PASSWORD }, { token })
    const { factorId, secret } = start.body as { factorId: string; secret: string }
    await limited.post('/api/admin/second-factor/on', { factorId, code: codeAt(secret, at()) }, { token })
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries += 1)
      statuses.push((await limited.post('/api/admin/login', credentials, from('192.0.2.7'))).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
})
