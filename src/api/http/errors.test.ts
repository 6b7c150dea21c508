import { expect, it } from 'vitest'
import { PasswordsBusy } from '../../shop/passwords.ts'
import { ShopBusy } from '../../shop/shop-busy.ts'
import { Refusal } from '../../domain/refusal.ts'
import { PaymentRejected, ProviderAway } from '../../payments/payment-provider.ts'
import { SearchTooWide } from '../../projections/order-list.ts'
import { CursorInvalid } from '../../projections/page-cursor.ts'
import { OutOfMemory } from '../../projections/past-views.ts'
import { ViewBehind } from '../../projections/shop-views.ts'
import { engineErrors } from '../../engines/testing/interposed.ts'
import { problemOf } from './errors.ts'

it.for([
  [engineErrors.logAway, 503, 'event-store/away'],
  [engineErrors.logAmbiguous, 503, 'event-store/away'],
  [engineErrors.logConflict, 503, 'shop/busy'],
  [engineErrors.vaultAway, 503, 'vault/away'],
  [engineErrors.viewsAway, 503, 'view/away'],
  [new ViewBehind('inside'), 503, 'view/behind'],
  [new ShopBusy('inside'), 503, 'shop/busy'],
  [new PasswordsBusy('inside'), 503, 'shop/busy'],
  [new ProviderAway('inside'), 503, 'provider/away'],
  [new PaymentRejected('inside'), 409, 'payment/rejected'],
  [new CursorInvalid(), 400, 'request/invalid'],
  [new SearchTooWide(), 400, 'request/invalid'],
  [engineErrors.logDamaged, 500, 'shop/error'],
  [engineErrors.vaultDamaged, 500, 'shop/error'],
  [new TypeError('inside'), 500, 'shop/error'],
  ['inside', 500, 'shop/error'],
  [undefined, 500, 'shop/error'],
] as const)('%s is answered as %i %s without internal details', ([error, status, code]) => {
  const problem = problemOf(error, 'correlation')
  expect({ status: problem.status, code: problem.code }).toEqual({ status, code })
  expect(problem.body).toMatchObject({ status, code, correlationId: 'correlation' })
  expect(JSON.stringify(problem.body)).not.toContain('inside')
  expect(problem.retryAfterS !== undefined).toBe(status === 503)
})

it('an error has no Retry-After when retrying does not help', () => {
  const problem = problemOf(new OutOfMemory('inside'), 'c')
  expect(problem).toMatchObject({ status: 503, code: 'history/out-of-memory', retryAfterS: undefined })
})

function retryAfterOf(details: Record<string, unknown>): number | undefined {
  return problemOf(new Refusal('order/share-exceeded', 'Tomorrow.', details), 'c').retryAfterS
}

it('an error says when to retry: soon, or when the refusal says', () => {
  expect(retryAfterOf({})).toBe(5)
  expect(retryAfterOf({ retryAfterS: 86_400 })).toBe(86_400)
})

it('a refusal sends its details, which never replace its own fields', () => {
  const { body } = problemOf(new Refusal('order/busy', 'Busy.', { currentStock: 3, status: 200, code: 'x' }), 'c')
  const own = { type: 'urn:coinshop:order/busy', title: 'Conflict', status: 409, code: 'order/busy', message: 'Busy.' }
  expect(body).toMatchObject({ ...own, currentStock: 3 })
})
