import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { suiteShop } from '../../testing/shops.ts'
import { parse } from './endpoint.ts'

const shop = suiteShop()

type Path = readonly string[]
interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

/** The path of every text of a schema. */
function textsOf({ type, properties = {}, items, anyOf = [] }: JsonSchema, path: Path = []): Path[] {
  return [
    ...(type === 'string' ? [path] : []),
    ...Object.entries(properties).flatMap(([name, own]) => textsOf(own, [...path, name])),
    ...(items ? textsOf(items, [...path, '0']) : []),
    ...anyOf.flatMap((own) => textsOf(own, path)),
  ]
}

const textsOfRequests = () =>
  shop.api.routes.flatMap(({ id, body, query }) =>
    [body, query].flatMap((schema) => {
      if (!schema) return []
      const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
      return textsOf(shape).map((path) => ({ id, schema, path }))
    }),
  )

function bodyWith(path: Path, text: string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return text
  return name === '0' ? [bodyWith(rest, text)] : { [name]: bodyWith(rest, text) }
}

const halfPair = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))
const aroundIt = fc.tuple(
  fc.string({ unit: 'binary', maxLength: 5 }),
  halfPair,
  fc.string({ unit: 'binary', maxLength: 5 }),
)

it('no text of any request may have half of a surrogate pair', () => {
  const texts = textsOfRequests()
  expect(texts.length).toBeGreaterThan(50)
  fc.assert(
    fc.property(fc.constantFrom(...texts), aroundIt, ({ schema, path }, parts) => {
      const text = parts.join('')
      fc.pre(!text.isWellFormed())
      const refused = { code: 'request/invalid', details: { errors: [{ path: path.join('.') }] } }
      expect(problemIn(() => parse(schema, bodyWith(path, text)))).toMatchObject(refused)
    }),
    { numRuns: 2_000 },
  )
})

function problemIn(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

it('a name or a deeply nested text with half of a surrogate pair is found, and whole pairs are taken', () => {
  const schema = z.looseObject({})
  let deep: unknown = '\ud83d'
  for (let depth = 0; depth < 20_000; depth += 1) deep = [deep]
  for (const value of [{ '\udc00': 1 }, { a: [{ '\ud83d': 1 }] }, { deep }])
    expect(() => parse(schema, value)).toThrow('half of a character')
  for (const value of [{ '😀': ['😀', '\ud83d\ude00'] }, { name: 'Zoë' }]) expect(parse(schema, value)).toEqual(value)
})

const ORDER = '/api/orders/7f8d5c9e-0000-4000-8000-000000000001'

it.for<[path: string, raw: string, field: string]>([
  ['/api/admin/unplaced-payments/settle', '{"provider":"\\ud800","receiptId":"1","outcome":"paid-back"}', 'provider'],
  [`${ORDER}/refunds`, '{"revision":1,"amountCents":1,"reason":"other","whereTo":"a\\udc00"}', 'whereTo'],
  ['/api/admin/login', '{"email":"\\ud800@x","password":"\\ud800"}', 'password'],
])('%s answers 400 to half of a character', async ([path, raw, field]) => {
  const { status, body } = await shop.post(path, undefined, { raw, token: await shop.logIn() })
  expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: field }] })
})
