import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { startShop } from '../../testing/start-shop.ts'
import { parsed } from './endpoint.ts'
import { problemOf } from './errors.ts'
import { inlineShapeOf } from './openapi.ts'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

const wrong: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  'x',
  'x'.repeat(5_000),
  -1,
  0.5,
  1e12,
  Number.NaN,
  [],
  Array.from({ length: 1_001 }, () => ({})),
  {},
  { unknown: 1 },
]

const validatorsWords =
  /invalid input|expected|received|unrecognized|too (?:small|big)|invalid (?:option|string|format|key)|must match|zod/i
/** The spec's own text, which is none. */
const SPECS_OWN = 'Invalid total amount'
const sentence = /^\p{Lu}.*[^.]\.$/u

/** Every wrong value at every place of this shape. */
function wrongOnes({ properties, items }: Shape): unknown[] {
  const inside = Object.entries(properties ?? {}).flatMap(([name, shape]) =>
    wrongOnes(shape).map((value) => ({ [name]: value })),
  )
  const inList = items === undefined ? [] : wrongOnes(items).map((value) => [value])
  return [...wrong, ...inside, ...inList]
}

it('says what is wrong with any body or query in sentences, and never in the words of the validator', async () => {
  const shop = await startShop()
  const schemas = shop.api.routes.flatMap(({ body, query }) => [body, query].filter((schema) => schema !== undefined))
  await shop.stop()
  const said = new Set<string>()
  for (const schema of schemas) {
    for (const value of wrongOnes(inlineShapeOf(schema, 'input'))) {
      try {
        parsed(schema, value)
      } catch (error) {
        const { message, errors } = problemOf(error, 'c').body
        for (const one of [message, ...(errors ?? []).map((problem) => problem.message)]) said.add(one)
      }
    }
  }
  const found = [...said].filter((text) => text !== SPECS_OWN && (validatorsWords.test(text) || !sentence.test(text)))
  expect(found).toEqual([])
  expect(said.size).toBeGreaterThan(50)
})

it('names a field as people do', () => {
  const customerInfo = z.strictObject({ customerPhone: z.string(), pack1Amount: z.optional(z.int()) })
  const messageFor = (value: unknown) => {
    try {
      parsed(z.strictObject({ customerInfo }), { customerInfo: value })
      return undefined
    } catch (error) {
      return problemOf(error, 'c').body.message
    }
  }
  expect(messageFor({})).toBe('The phone number is missing.')
  expect(messageFor({ customerPhone: 5 })).toBe('The phone number must be text.')
  expect(messageFor({ customerPhone: '5', pack1Amount: 'x' })).toBe('The pack 1 amount must be a number.')
  expect(messageFor({ customerPhone: '5', more: 1 })).toBe('This request has something that is not known here: "more".')
})
