import { wrongField } from './errors.ts'
import type { Call } from './route.ts'

const HEADER = 'Idempotency-Key'

/** The key by which a repeat of this request is recognized; undefined if none. */
export function idempotencyKeyOf(call: Pick<Call, 'header'>): string | undefined {
  const key = call.header(HEADER)
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw wrongField(HEADER, 'From 1 to 255 visible ASCII characters')
}
