import { expect, it } from 'vitest'
import { ApiError, sayError } from './client.ts'

it('describes a refusal by its status and body, and shows its sentence', () => {
  const refused = new ApiError(409, '{"code":"order/not-pending","message":"It is over."}', 'Conflict')
  expect(refused).toMatchObject({ message: '409: {"code":"order/not-pending","message":"It is over."}', status: 409 })
  expect([refused.code, sayError(refused)]).toEqual(['order/not-pending', 'It is over.'])
  expect(new ApiError(502, '', 'Bad Gateway')).toMatchObject({ message: '502: Bad Gateway', code: 'http/502' })
})
