import { expect, it } from 'vitest'
import { ApiError, sayError, sayRefusalOr, Unreachable } from './client.ts'

it('a refusal has its status and body as message, and a sentence for the user', () => {
  const refused = new ApiError(409, '{"code":"order/not-pending","message":"It is over."}', 'Conflict')
  expect(refused).toMatchObject({ message: '409: {"code":"order/not-pending","message":"It is over."}', status: 409 })
  expect([refused.code, sayError(refused)]).toEqual(['order/not-pending', 'It is over.'])
  expect(new ApiError(502, '', 'Bad Gateway')).toMatchObject({ message: '502: Bad Gateway', code: 'http/502' })
})

it('a failure asks to try again only if that may help', () => {
  const ended = new ApiError(409, '{"code":"order/not-pending","message":"It can no longer be paid."}', 'Conflict')
  const down = new ApiError(500, '', 'Internal Server Error')
  const said = [ended, down, new Unreachable('lost')].map((error) => sayRefusalOr('Please try again.', error))
  expect(said).toEqual(['It can no longer be paid.', 'Please try again.', 'Please try again.'])
})
