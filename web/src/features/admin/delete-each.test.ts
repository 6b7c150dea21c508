import { expect, it } from 'vitest'
import { ApiError, Unreachable } from '../../api/client.ts'
import { deleteEach } from './delete-each.ts'

const refused = (status: number, code: string) => new ApiError(status, JSON.stringify({ code, message: code }), '')

it('tries every order, whatever becomes of the others, and reports one by one', async () => {
  const faults: Record<string, Error> = {
    b: refused(409, 'order/busy'),
    c: refused(409, 'order/coins-given-unknown'),
    d: refused(404, 'order/not-found'),
    e: new Unreachable('away'),
  }
  const progress: number[] = []
  const remove = async (id: string) => {
    const fault = faults[id]
    if (fault !== undefined) throw fault
  }
  const results = await deleteEach(['a', 'b', 'c', 'd', 'e', 'f'], remove, (done) => progress.push(done))
  expect(results.map(({ of, is }) => `${of} ${is}`)).toEqual([
    'a deleted',
    'b failed',
    'c coins-unknown',
    'd deleted',
    'e failed',
    'f deleted',
  ])
  expect(results[1]).toMatchObject({ message: 'order/busy' })
  expect(progress).toEqual([1, 2, 3, 4, 5, 6])
})
