import * as z from 'zod/mini'
import { QUANTITY_MAX_M } from '../../domain/pricing.ts'
import { charsMax, seenPattern } from './formats.ts'
import { trimmed } from './typed-text.ts'

const fields = {
  name: z.string().check(...charsMax(80), z.overwrite(trimmed), z.minLength(1), seenPattern),
  description: z.string().check(...charsMax(500), z.overwrite(trimmed)),
  pokecoinAmount: z.int().check(z.minimum(1), z.maximum(QUANTITY_MAX_M)),
  active: z.boolean(),
  position: z.int().check(z.minimum(0), z.maximum(1_000_000)),
}

export const productCreate = z.strictObject({
  ...fields,
  description: z._default(fields.description, ''),
  active: z._default(fields.active, true),
  position: z._default(fields.position, 0),
})
export type ProductCreate = z.input<typeof productCreate>

export const productChange = z.partial(z.strictObject(fields))
export type ProductChange = z.infer<typeof productChange>

export const product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  pokecoinAmount: z.number(),
  active: z.boolean(),
  position: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The shop's quote for this quantity: dollars with two decimals. */
  price: z.string(),
})
export type Product = z.infer<typeof product>
