import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineErrors, failingEngine } from '../engines/testing/interposed.ts'
import { keptLog } from '../testing/kept-log.ts'
import { orderBody } from '../testing/orders.ts'
import { shopOfTest, suiteShop } from '../testing/shops.ts'
import { METRICS_TOKEN } from '../testing/shop-process.ts'
import { startShop, type TestShop } from '../testing/start-shop.ts'

interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('every answer', () => {
  const shop = suiteShop()

  it('every page has headers that protect its reader', async () => {
    const { headers } = await shop.get('/order/x', { headers: html })
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    })
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('only the payment page may load what a provider’s window needs', async () => {
    const windows = { hosts: ['https://*.window.example'], hasInlineStyles: true }
    const live = await shopOfTest({ payments: { windows } })
    const headersOf = async (path: string, of = live) => (await of.get(path, { headers: html })).headers
    const policyOf = async (path: string, of = live) => (await headersOf(path, of)).get('content-security-policy')
    const hosts = "'self' https://*.window.example"
    expect((await policyOf('/order/x/payment'))?.split(';')).toEqual(
      expect.arrayContaining([
        `script-src ${hosts}`,
        `connect-src ${hosts}`,
        `form-action ${hosts}`,
        "img-src 'self' data: https://*.window.example",
        "style-src 'self' 'unsafe-inline' https://*.window.example",
        'frame-src https://*.window.example',
      ]),
    )
    expect(await policyOf('/Order//x/payment/')).toBe(await policyOf('/order/x/payment'))
    expect((await headersOf('/order/x/payment')).get('referrer-policy')).toBe('strict-origin')
    for (const path of ['/', '/order/x', '/order/x/payment-method', '/order/x/confirm', '/admin']) {
      expect(await policyOf(path), path).toBe(await policyOf('/', shop))
      expect((await headersOf(path)).get('referrer-policy'), path).toBe('no-referrer')
    }
  })

  it('every answer has the time of the shop as its date', async () => {
    const { headers } = await shop.get('/api/pricing')
    expect(headers.get('date')).toBe(new Date(shop.now()).toUTCString())
  })

  it.for(['/api/pricing', '/API/pricing', '/api', '/api/nothing-here', '/api/orders'])(
    'the answer to %s may neither run nor be cached',
    async (path) => {
      const { headers } = await shop.get(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
      })
      for (const name of ['x-powered-by', 'strict-transport-security']) expect(headers.get(name)).toBeNull()
    },
  )

  it('every answer has a correlation id, taken from the request when valid', async () => {
    expect((await shop.get('/api/pricing')).headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
    const own = { headers: { 'X-Correlation-Id': 'trace-1.2_3' } }
    const placed = await shop.post('/api/orders', orderBody(), own)
    expect(placed.headers.get('x-correlation-id')).toBe('trace-1.2_3')
    const [event] = await shop.eventsOf(`order-${String(placed.body['id'])}`)
    expect(event?.metadata.correlationId).toBe('trace-1.2_3')
    const bad = await shop.get('/api/pricing', { headers: { 'X-Correlation-Id': 'a'.repeat(65) } })
    expect(bad.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('a chunked body that is too large is rejected', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
      const sent = httpRequest(`${shop.url}/api/orders`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.write(`{"discordUsername":"${'a'.repeat(200_000)}`)
      sent.end('"}')
    })
    expect(status).toBe(413)
  })

  it('a header that is too large is rejected', async () => {
    const { status } = await fetch(`${shop.url}/api/pricing`, { headers: { 'X-Long': 'a'.repeat(20_000) } })
    expect(status).toBe(431)
  })

  it('a compressed body is rejected', async () => {
    const answer = await shop.post('/api/orders', orderBody(), { headers: { 'Content-Encoding': 'gzip' } })
    expect(answer).toMatchObject({ status: 415, body: { code: 'request/wrong-type' } })
  })
})

const page = (title: string) => `<!doctype html><title>${title}</title>`

/** Sends path and headers as they are; by default as a browser's navigation. */
async function rawGet({ url }: { url: string }, path: string, headers: Record<string, string> = html) {
  const { hostname, port } = new URL(url)
  return new Promise<{ status: number | undefined; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, headers }, (response) => {
      const { statusCode: status } = response
      void response
        .toArray()
        .then((chunks) => resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const pageOf = async (server: { url: string }, encoding: string, tag?: string) =>
  rawGet(server, '/', { ...html, 'accept-encoding': encoding, ...(tag !== undefined && { 'if-none-match': tag }) })

it('while the log is away orders are answered 503, and prices and stock are still shown', async () => {
  const engine = failingEngine()
  const shop = await shopOfTest({ wrapStore: engine.wrap })
  engine.fail(engineErrors.logAway)
  const { status, body, headers, text } = await shop.post('/api/orders', orderBody())
  expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'event-store/away' })
  expect(headers.get('retry-after')).toBe('5')
  expect(text).not.toContain('inside')
  for (const path of ['/api/pricing', '/api/payment-settings', '/api/products', '/api/shop'])
    expect((await shop.get(path)).status, path).toBe(200)
  engine.fail(undefined)
})

it.for([
  ['off', 1],
  ['1', 0],
] as const)('the log warns once of a proxy while TRUST_PROXY is %s: %i lines', async ([trustProxy, count]) => {
  const { lines, logger } = keptLog()
  const shop = await shopOfTest({ logger, env: { TRUST_PROXY: trustProxy } })
  for (const path of ['/api/pricing', '/api/shop', '/api/pricing'])
    await shop.get(path, { headers: { 'X-Forwarded-For': '192.0.2.1' } })
  expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(count)
})

it('rejected requests are logged at level debug without name, mail or order', async () => {
  const { lines, logger } = keptLog('debug')
  const shop = await shopOfTest({ logger })
  const placed = await shop.post(
    '/api/orders',
    orderBody({ customerEmail: 'secret@example.com', discordUsername: 'secretname' }),
  )
  const id = String(placed.body['id'])
  await shop.get(`/api/orders/${id}`)
  expect(lines).toEqual([])
  await shop.post('/api/orders', orderBody({ customerEmail: 'secret.example.com' }))
  await shop.post('/api/process-order', { orderId: id })
  await shop.delete(`/api/orders/${id}?secret=secret@example.com`)
  const text = lines.join('')
  expect(lines).toHaveLength(3)
  const logged = lines.map((line) => JSON.parse(line) as unknown)
  const refused = { method: 'POST', path: '/api/orders', status: 400, code: 'request/invalid' }
  expect(logged).toMatchObject([refused, {}, { path: '/api/orders/:id' }])
  for (const secret of [id, 'secret', '12345678', '127.0.0.1']) expect(text).not.toContain(secret)
})

describe('the pages', () => {
  let folder: string
  let shop: TestShop
  const script = 'console.log("shop")'
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinshop-web-'))
    await cp(new URL('../../web/public', import.meta.url), folder, { recursive: true })
    await mkdir(join(folder, 'assets'))
    await mkdir(join(folder, '.vite'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>built</title>')
    const marks = '<meta content="{{shop.name}}"><meta content="{{shop.game}}"><p>{{shop.offer}}</p>{{shop.other}}'
    await writeFile(join(folder, 'landing.html'), `<!doctype html><title>built: landing</title>${marks}`)
    await writeFile(join(folder, 'order.html'), '<!doctype html><title>built: order</title>')
    await writeFile(join(folder, 'assets/app-1a2b.js'), script)
    await writeFile(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
    await writeFile(join(folder, '.vite/manifest.json'), '{}')
    shop = await startShop({ webFolder: folder })
  })
  afterAll(async () => {
    await shop.stop()
    await rm(folder, { recursive: true })
  })

  const orderId = '0f0e0d0c-0b0a-4908-8706-050403020100'

  it.for([
    ['/', 'built: landing'],
    ['/?from=mail', 'built: landing'],
    [`/order/${orderId}`, 'built: order'],
    [`/order/${orderId}?shows=another`, 'built'],
    ['/order/x', 'built'],
    ['/order/x/confirm', 'built'],
    ['/purchase', 'built'],
    ['/anything/else', 'built'],
    ['/landing.html', 'built'],
  ] as const)('%s is the page with the frame of its screen, else the page without one', async ([path, title]) => {
    const { status, text, headers } = await shop.get(path, { headers: html })
    expect([path, status]).toEqual([path, 200])
    expect(text).toMatch(new RegExp(`^<!doctype html><title>${title}</title>`))
    expect(headers.get('cache-control')).toBe('no-cache')
    const call = `</api/orders/${orderId}>; rel=preload; as=fetch; crossorigin=use-credentials`
    expect(headers.get('link')).toBe(title === 'built: order' ? call : null)
  })

  const words = async () => (await shop.get('/', { headers: html })).text.replace(/.*<\/title>/, '')

  it('a page has the words of the shop, as text and in no other meaning', async () => {
    const token = await shop.logIn()
    const unset = '<meta content="Test shop"><meta content="">'
    expect(await words()).toBe(`${unset}<p>Pokecoins, delivered to your market listing</p>{{shop.other}}`)
    const changes = { shopName: `"><script>&'`, gameName: '{{shop.name}}', coinName: 'Gems' }
    await shop.patch('/api/payment-settings', changes, { token })
    expect(await words()).toBe(
      '<meta content="&quot;&gt;&lt;script&gt;&amp;&#39;"><meta content="{{shop.name}}">' +
        '<p>Gems for {{shop.name}}, delivered to your market listing</p>{{shop.other}}',
    )
    await shop.patch('/api/payment-settings', { shopName: '', gameName: '', coinName: '' }, { token })
    expect(await words()).toContain(unset)
  })

  it('a page is compressed and revalidated, by a tag that is the same in every process and new for other words', async () => {
    const token = await shop.logIn()
    const tagOf = async (encoding: string, server: { url: string } = shop) => {
      const { status, headers } = await pageOf(server, encoding)
      const sent = encoding === 'identity' ? undefined : encoding
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, sent, 'Accept-Encoding'])
      return headers.etag ?? ''
    }
    const tags = await Promise.all(['br', 'gzip', 'identity'].map(async (encoding) => tagOf(encoding)))
    expect(new Set(tags).size).toBe(3)
    const [br = ''] = tags
    expect((await pageOf(shop, 'br', br)).status).toBe(304)
    expect((await pageOf(shop, 'gzip', br)).status).toBe(200)

    await shop.patch('/api/payment-settings', { shopName: 'Other' }, { token })
    const other = await tagOf('br')
    expect(other).not.toBe(br)
    const elsewhere = await shopOfTest({ webFolder: folder, env: { SHOP_NAME: 'Third' } })
    const elsewhereToken = await elsewhere.logIn()
    while (elsewhere.context.hot.settings.revision < shop.context.hot.settings.revision - 1)
      await elsewhere.patch(
        '/api/payment-settings',
        { pack1Amount: 11 + elsewhere.context.hot.settings.revision },
        { token: elsewhereToken },
      )
    await elsewhere.patch('/api/payment-settings', { shopName: 'Other' }, { token: elsewhereToken })
    expect(await tagOf('br', elsewhere)).toBe(other)
  })

  it('pages that are built anew are served at once, and without a build there is none', async () => {
    const file = join(folder, 'index.html')
    const built = await readFile(file, 'utf8')
    const get = async () => (await shop.get('/purchase', { headers: html })).text
    expect(await get()).toBe(built)
    await writeFile(file, 'built anew')
    await utimes(file, 1, 1)
    expect(await get()).toBe('built anew')
    await rm(file)
    expect((await shop.get('/purchase', { headers: html })).status).toBe(404)
    await writeFile(file, built)
    expect(await get()).toBe(built)
  })

  it('the pages of an order are hidden from search engines', async () => {
    const hidden = ['/order/x', '/checkout/x', '/ORDER/x', '//order/x', '/order//x', '/%6frder/x', '/order%2fx']
    for (const path of [...hidden, '/purchase']) {
      const { headers } = await rawGet(shop, path)
      expect([path, headers['x-robots-tag']]).toEqual([path, path === '/purchase' ? undefined : 'noindex'])
    }
  })

  it('files that are not served under their own names are not served under other spellings of them', async () => {
    const spellings = ['/landing%2Ehtml', '//landing.html', '/l%61nding.html', '/./landing.html', '/x/../landing.html']
    for (const path of spellings) expect([path, (await rawGet(shop, path)).text]).toEqual([path, page('built')])
    for (const path of ['/assets/app-1a2b.js%2Ebr', '/assets/app-1a2b.js.b%72', '/assets//app-1a2b.js.br'])
      expect([path, (await rawGet(shop, path)).status]).toEqual([path, 404])
    expect((await rawGet(shop, '/%ff')).status).toBe(400)
  })

  it('assets are compressed and cached forever', async () => {
    const response = await fetch(`${shop.url}/assets/app-1a2b.js`, { headers: { 'accept-encoding': 'br' } })
    expect(await response.text()).toBe(script)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^text\/javascript; charset=utf-8$/i),
      vary: 'Accept-Encoding',
    })
  })

  it('a missing file is answered 404, not by a page', async () => {
    const files = ['assets/gone.js', 'assets/../index', '.vite/manifest.json', 'assets/app-1a2b.js.br']
    for (const path of [...files, '..%2f..%2fpackage.json'].map((file) => `/${file}`)) {
      const { status, text } = await shop.get(path, { headers: { accept: '*/*' } })
      expect({ path, status }).toEqual({ path, status: 404 })
      expect(text).not.toContain('built')
    }
    expect((await shop.get('/assets/gone.js', { headers: html })).status).toBe(404)
    expect((await shop.post('/purchase', {})).status).toBe(405)
  })

  it('robots.txt excludes the API and the orders', async () => {
    const { status, text, headers } = await shop.get('/robots.txt', { headers: html })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/plain')
    for (const path of ['/api/', '/pay/', '/order/']) expect(text).toContain(`Disallow: ${path}\n`)
  })
})

const waiting = async () => 'jobs have waited for 31 s without one being taken'

it('a warning does not stop a process from being ready', async () => {
  const shop = await shopOfTest({ probes: { log: async () => undefined }, warnings: { jobs: waiting } })
  const { status, body } = await shop.get('/readyz')
  expect([status, body]).toEqual([200, { ready: true, reasons: {}, warnings: { jobs: await waiting() } }])
})

it('the probes show whether the process lives and can serve, and why not', async () => {
  let trouble: string | undefined
  const shop = await shopOfTest({
    probes: {
      views: async () => trouble,
      log: async () => undefined,
    },
  })
  expect((await shop.get('/healthz')).text).toBe('ok 1.2.3 abcdef\n')
  expect((await shop.get('/readyz')).body).toEqual({ ready: true, reasons: {} })
  trouble = 'the orders are being built'
  const { status, body } = await shop.get('/readyz')
  expect({ status, body }).toEqual({ status: 503, body: { ready: false, reasons: { views: trouble } } })
  expect(await shop.metrics()).toContain('coinshop_push_connections 0')
})

it.for(['/READYZ', '/readyz/', '/Metrics', '/metrics/', '/healthz/'])(
  '%s is not a probe, so that a proxy’s rule for the exact address is enough',
  async (path) => {
    const shop = await shopOfTest()
    const { status } = await shop.get(path, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    expect(status).toBe(404)
  },
)

it('the metrics require their token', async () => {
  const shop = await shopOfTest()
  for (const sent of [{}, { token: 'x'.repeat(32) }, { token: await shop.logIn() }, { token: '' }])
    expect((await shop.get('/metrics', sent)).status).toBe(404)
  expect(await shop.metrics()).toContain('coinshop_push_connections 0')
})

it('the metrics count requests by route and contain no ids', async () => {
  const shop = await shopOfTest()
  const orderId = '7f8d5c9e-0000-4000-8000-000000000001'
  await shop.get(`/api/orders/${orderId}`)
  await shop.get(`/api/nothing/${orderId}`)
  await shop.get('/api/pricing')
  const text = await shop.metrics()
  expect(text).not.toContain(orderId)
  const counted = [...text.matchAll(/^coinshop_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
  expect(counted.map(([, labels, count]) => `${labels} ${count}`)).toEqual([
    'method="GET",route="/api/orders/:id",status="4xx" 1',
    'method="GET",route="other",status="4xx" 1',
    'method="GET",route="/api/pricing",status="2xx" 1',
  ])
})

it('the metrics count unknown methods as one', async () => {
  const shop = await shopOfTest()
  for (const method of ['PROPFIND', 'MKCOL', 'LINK']) await shop.ask(method, '/api/pricing')
  expect(await shop.metrics()).toContain('_count{method="other",route="/api/pricing",status="4xx"} 3')
})

describe('every route', () => {
  const shop = suiteShop()

  it('every route has a schema of its answer, and of its body when it changes something', () => {
    const without = shop.api.routes.filter(({ answers, method }) => answers === null && method !== 'delete')
    expect(without.map(({ path }) => path)).toEqual([])
    const bodiless = shop.api.routes.filter(({ body, method }) => !body && method !== 'delete' && method !== 'get')
    expect(bodiless.map(({ path }) => path)).toEqual(['/api/orders/:id/cancel'])
  })

  it('the OpenAPI description is not sent again to a caller that has it', async () => {
    const first = await shop.get('/api/openapi.json')
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { status, text } = await rawGet(shop, '/api/openapi.json', { 'If-None-Match': tag })
    expect({ status, text }).toEqual({ status: 304, text: '' })
  })

  it('the OpenAPI description has patterns for every engine, no unused schema, and words for every tag', async () => {
    const { body, text } = await shop.get('/api/openapi.json')
    const patterns = Array.from(
      text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
      ([, json = '']) => JSON.parse(json) as string,
    )
    expect(patterns.length).toBeGreaterThan(20)
    for (const pattern of patterns) expect(pattern).not.toMatch(/\\[pPdwsb]|\\u|\(\?[^:]/)
    const { components, tags } = body as unknown as Description
    const used = new Set(Array.from(text.matchAll(/"#\/components\/schemas\/([\w-]+)"/g), ([, name]) => name))
    expect(Object.keys(components['schemas'] ?? {}).filter((name) => !used.has(name))).toEqual([])
    for (const { name, description } of tags) expect(description, name).not.toBe('')
  })

  it('a list that is asked for by its body says which valid fields may be refused, as by its address', async () => {
    const { paths } = (await shop.get('/api/openapi.json')).body as unknown as Description
    const refusedOf = (path: string, method: string) => paths[path]?.[method]?.['x-refused-together']
    expect(refusedOf('/api/admin/order-search', 'post')).toEqual(['asOf', 'cursor'])
    expect(refusedOf('/api/orders.csv', 'post')).toEqual(['asOf'])
    expect(refusedOf('/api/orders', 'get')).toEqual(['asOf', 'X-Position', 'cursor'])
  })

  it('the OpenAPI description contains every route', async () => {
    const { body, text } = await shop.get('/api/openapi.json')
    expect(body).toMatchObject({
      info: { version: '1.2.3+abcdef' },
      servers: [{ url: shop.context.config.PUBLIC_URL }],
      webhooks: { deliverOrder: {} },
    })
    const { paths, components } = body as unknown as Description
    for (const { path, method, id, who } of shop.api.routes)
      expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method], id).toMatchObject({
        operationId: id,
        security: who === 'staff' ? [{ bearer: [] }, { cookie: [] }] : [],
      })
    expect(new Set(shop.api.routes.map(({ id }) => id)).size).toBe(shop.api.routes.length)
    expect(paths['/api/orders/{id}']?.['get']).toMatchObject({
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        404: { description: 'order/not-found' },
      },
    })
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g))
      expect(components[kind], name).toHaveProperty(name)
  })
})

it('a call without the body that it needs is refused, and one whose body may be left out is not', async () => {
  const shop = await shopOfTest()
  const token = await shop.logIn()
  const headers = { 'Content-Type': 'application/json' }
  const id = '00000000-0000-4000-8000-000000000000'
  const needBody = shop.api.routes.filter((route) => route.body && route.id !== 'logOut')
  expect(needBody.length).toBeGreaterThan(15)
  const said: unknown[] = []
  for (const { path, ...route } of needBody) {
    const method = route.method.toUpperCase()
    const address = path.replace(':id', id)
    for (const sent of [{ token }, { token, headers }, { token, raw: '', headers }])
      said.push((await shop.ask(method, address, undefined, sent)).body['message'])
    const body = new ReadableStream({ start: (controller) => controller.close() })
    const own = { ...headers, Authorization: `Bearer ${token}` }
    const chunked = await fetch(shop.url + address, { method, headers: own, body, duplex: 'half' })
    said.push(((await chunked.json()) as { message: string }).message)
  }
  expect(new Set(said)).toEqual(new Set(['The body of this request is missing.']))
  expect((await shop.post('/api/admin/logout', undefined, { headers })).status).toBe(200)
})
