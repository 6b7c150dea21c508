import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { parse } from './endpoint.ts'
import { problemOf } from './errors.ts'

const customerInfo = z.strictObject({
  customerPhone: z.string().check(z.minLength(1), z.maxLength(3)),
  pack1Amount: z.optional(z.int().check(z.minimum(1))),
})

it.each([
  [{}, 'The phone number is missing.'],
  [{ customerPhone: '' }, 'The phone number is missing.'],
  [{ customerPhone: 5 }, 'The phone number is not valid.'],
  [{ customerPhone: '5555' }, 'The phone number can be at most 3 characters long.'],
  [{ customerPhone: '5', pack1Amount: 0 }, 'The pack 1 amount must be at least 1.'],
  [{ customerPhone: '5', more: 1 }, 'This request has something that is not known here: "more".'],
])('the problem of %j is described with the names that people use', (value, message) => {
  let error: unknown
  try {
    parse(z.strictObject({ customerInfo }), { customerInfo: value })
  } catch (thrown) {
    error = thrown
  }
  expect(problemOf(error, 'c').body.message).toBe(message)
})
