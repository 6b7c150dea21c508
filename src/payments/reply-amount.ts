import * as z from 'zod'
import { plainDecimal } from './payment-amounts.ts'

/** An amount in a reply, as plain decimal text; for `transform` of a zod string. */
export function amountText(text: string, context: z.RefinementCtx<string>): string {
  const plain = plainDecimal(text)
  if (plain !== undefined) return plain
  context.addIssue('not an amount')
  return z.NEVER
}
