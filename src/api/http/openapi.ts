import * as z from 'zod/mini'
import { type RefusalCode, refusals } from '../../domain/refusal.ts'
import type { Build } from '../api.ts'
import * as admin from '../contract/admin.ts'
import * as asOf from '../contract/as-of.ts'
import * as delivery from '../contract/delivery.ts'
import * as orderList from '../contract/order-list-query.ts'
import * as order from '../contract/order.ts'
import * as payment from '../contract/payment.ts'
import * as pricing from '../contract/pricing.ts'
import * as problems from '../contract/problem.ts'
import * as product from '../contract/product.ts'
import * as provider from '../contract/provider.ts'
import * as settings from '../contract/settings.ts'
import * as shop from '../contract/shop.ts'
import * as updates from '../contract/updates.ts'
import { statusOfRefusal } from './errors.ts'
import { refusalsOf, refusedTogether } from './refusals-of.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>
type Schema = z.core.$ZodType

/** The contract's objects, named after their exports: `order` is `Order`. Queries are inlined. */
const named = new Map<Schema, string>()
const parts: readonly object[] = [
  admin,
  asOf,
  delivery,
  orderList,
  order,
  payment,
  pricing,
  problems,
  product,
  provider,
  settings,
  shop,
  updates,
]
for (const part of parts)
  for (const [name, schema] of Object.entries(part))
    if (schema instanceof z.ZodMiniObject && !name.endsWith('Query'))
      named.set(schema, name.charAt(0).toUpperCase() + name.slice(1))

interface Described {
  readonly shopName: string
  readonly PUBLIC_URL: string
  readonly build: Build
}

/** The API's OpenAPI 3.1 description, made from its contract. */
export function openApi(routes: readonly Route[], { shopName, PUBLIC_URL, build }: Described): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  const sent = new Set(routes.flatMap(({ body }) => body ?? []))
  return {
    openapi: '3.1.0',
    info: {
      title: `${shopName} API`,
      version: `${build.version}+${build.commit}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: PUBLIC_URL }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name, description: tagNames[name] ?? '' })),
    paths,
    webhooks: { deliverOrder: { post: deliverOrder } },
    components: {
      schemas: {
        ...schemasOf('output', (schema) => !sent.has(schema)),
        ...schemasOf('input', (schema) => sent.has(schema)),
      },
      parameters,
      headers,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'admin_session' },
      },
    },
    'x-refusals': Object.fromEntries(
      (Object.keys(refusals) as RefusalCode[]).map((code) => [code, statusOfRefusal(code)]),
    ),
  }
}

/** What the calls of each tag are about. */
const tagNames: Readonly<Record<string, string>> = {
  admin: 'Sessions of staff, their figures, and work that waits for them.',
  cashfree: 'UPI payments at Cashfree.',
  'complete-payment': 'Staff approve an order without its payment.',
  crypto: 'Payments in coins.',
  'find-order': 'Orders whose page a buyer has lost.',
  orders: 'Orders, from placing to refunds.',
  'payment-settings': 'Stock, packs, switches and prices.',
  paypal: 'Payments by PayPal.',
  pricing: 'The price of a million coins.',
  'process-order': 'Staff mark an order as delivered.',
  products: 'The packs on the landing page.',
  shop: 'What the screens show of the shop itself.',
  updates: 'Server-sent events.',
  upigateway: 'UPI payments at EKQR.',
}

const text = { type: 'string' }
const parameters = {
  'X-Position': headerOf(
    'X-Position',
    'An opaque position from an earlier response: this response is at least as new, or 503.',
    '^[A-Za-z0-9_-]{22}$',
  ),
  'Idempotency-Key': headerOf('Idempotency-Key', 'A repeat with the same key changes nothing.', '^[!-~]{1,255}$'),
  'If-Match': headerOf(
    'If-Match',
    'The ETag that was read; 412 if there is a newer one.',
    String.raw`^(\*|(W/)?"?[0-9]{1,15}"?)$`,
  ),
}
const headers = {
  'X-Position': { description: 'The last position that this call wrote.', schema: text },
  ETag: { description: 'The revision of the response.', schema: text },
  'Retry-After': { description: 'Seconds after which the call may be repeated.', schema: { type: 'integer' } },
}

function headerOf(name: string, description: string, pattern?: string): Json {
  return { name, in: 'header', description, schema: { ...text, ...(pattern !== undefined && { pattern }) } }
}

function operationOf(route: Route): Json {
  const { id, path, summary, who, body, query, answers, method, headers: own = [] } = route
  const { answersType = 'application/json', status = answers ? 200 : 204 } = route
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: text }))
  const inHeader = [...(method === 'get' ? ['X-Position'] : []), ...own.filter((name) => name !== 'ETag')]
  const answered = [...(method === 'get' ? [] : ['X-Position']), ...own.filter((name) => name === 'ETag')]
  return {
    operationId: id,
    tags: [tagOf(route)],
    summary,
    parameters: [
      ...inPath,
      ...(query ? queryParameters(query) : []),
      ...inHeader.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body && {
      requestBody: {
        required: !z.core.safeParse(body, undefined).success,
        content: { 'application/json': { schema: shapeOf(body, 'input') } },
      },
    }),
    security: who === 'staff' ? [{ bearer: [] }, { cookie: [] }] : [],
    'x-refused-together': togetherOf(route).map(([what]) => what),
    responses: {
      [status]: {
        description: 'Done',
        ...(answered.length > 0 && {
          headers: Object.fromEntries(answered.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        }),
        ...(answers && { content: { [answersType]: { schema: shapeOf(answers, 'output') } } }),
      },
      ...refused(route),
      ...wrong(route),
      '4XX': problemOf('The request is not valid, or there were too many.'),
      default: problemOf('The shop cannot answer now.'),
    },
  }
}

/** A route's refusal codes, by status. */
function refused({ id, who }: Route): Json {
  const all: RefusalCode[] = [...(who === 'staff' ? (['admin/not-signed-in'] as const) : []), ...(refusalsOf[id] ?? [])]
  const byStatus = Map.groupBy(all, statusOfRefusal)
  return Object.fromEntries([...byStatus].map(([status, of]) => [status, problemOf(of.join(', '))]))
}

/** The 400 of a call. */
function wrong(route: Route): Json {
  const codes = (refusalsOf[route.id] ?? []).filter((code) => statusOfRefusal(code) === 400)
  const together = togetherOf(route).map(([what, why]) => `${what} (${why})`)
  const parts = [
    'request/invalid',
    ...codes,
    ...(together.length > 0 ? [`although each field is valid: ${together.join(', ')}`] : []),
  ]
  return { 400: problemOf(parts.join('; ')) }
}

/** What this call refuses although each field is valid, and why. */
function togetherOf({ id, query, body, method }: Route): [what: string, why: string][] {
  const own = new Set<string>([
    ...(refusalsOf[id] ?? []),
    // The day of `at` is refused as that of `asOf`.
    ...(query ? queryParameters(query).map(({ name }) => (name === 'at' ? 'asOf' : String(name))) : []),
    // A list's query may be sent as the body.
    ...(body ? queryParameters(body).map(({ name }) => String(name)) : []),
    ...(method === 'get' ? ['X-Position'] : []),
  ])
  return Object.entries(refusedTogether).filter(([what]) => own.has(what))
}

function problemOf(description: string): Json {
  return {
    description,
    headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
    content: { 'application/problem+json': { schema: shapeOf(problems.problem, 'output') } },
  }
}

/** `orders` of `/api/orders/:id`. */
function tagOf({ path }: Route): string {
  return /^\/api\/(\w[\w-]*)/.exec(path)?.[1] ?? 'api'
}

const deliverOrder: Json = {
  operationId: 'deliverOrder',
  tags: ['orders'],
  summary: 'Asks the owner’s bot to give the coins of a paid order. Repeated until it answers; see docs/bot.md.',
  security: [],
  parameters: [
    headerOf('Idempotency-Key', 'The order’s id. Coins are given once for each.'),
    headerOf('webhook-id', 'The order’s id.'),
    headerOf('webhook-timestamp', 'Seconds since 1970.'),
    headerOf(
      'webhook-signature',
      '`v1,` and the Base64 of HMAC-SHA256 of `webhook-id.webhook-timestamp.body` (standardwebhooks.com).',
    ),
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: shapeOf(delivery.deliveryRequest, 'output') } },
  },
  responses: {
    '2XX': { description: 'The coins were given.' },
    '4XX': { description: 'They were not given, as far as is known.' },
  },
}

function queryParameters(query: Schema): Json[] {
  const { properties = {}, required = [] } = inlineShapeOf(query, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** A reference if it has a name. */
function shapeOf(schema: Schema, io: 'input' | 'output'): Json {
  const name = named.get(schema)
  return name === undefined ? inlineShapeOf(schema, io) : { $ref: refOf(name) }
}

function inlineShapeOf(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return shape
}

function schemasOf(io: 'input' | 'output', isShown: (schema: Schema) => boolean): Json {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io, uri: refOf, unrepresentable: 'any' })
  const shown = [...named].filter(([schema]) => isShown(schema))
  return Object.fromEntries(
    shown.map(([, name]) => {
      const { $schema: _dialect, $id: _address, ...shape } = schemas[name] ?? {}
      return [name, shape]
    }),
  )
}

function refOf(name: string): string {
  return `#/components/schemas/${name}`
}
