import { expect, it } from 'vitest'
import { adminTokens } from './admin-token.ts'

const HOUR_MS = 3_600_000
const secret = new Uint8Array(32).fill(7)
const beganAt = '2026-01-01T00:00:00.000Z'
const session = { adminId: 'owner', sessionId: 's-1', beganAt }
const at = (hours: number) => adminTokens({ secret, now: () => Date.parse(beganAt) + hours * HOUR_MS })

it('a token names its session for twelve hours', async () => {
  const token = await at(0).sign(session)
  expect(await at(11.9).read(token)).toEqual(session)
  expect(await at(12).read(token)).toBeUndefined()
})

it('a token is invalid under another secret', async () => {
  const token = await at(0).sign(session)
  const other = adminTokens({ secret: new Uint8Array(32).fill(8), now: () => Date.parse(beganAt) })
  expect(await other.read(token)).toBeUndefined()
})
