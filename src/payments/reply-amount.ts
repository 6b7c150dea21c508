import * as z from 'zod'
import { plainDecimal } from '../domain/decimal.ts'

/** An amount in a reply, as plain decimal text. Numbers arrive as their text, too (`parseExactJson`). */
export const replyAmount = z.string().transform((text, context): string => {
  const plain = plainDecimal(text)
  if (plain !== undefined) return plain
  context.addIssue('not an amount')
  return z.NEVER
})
