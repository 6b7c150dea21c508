import { expect, it } from 'vitest'
import { ProviderAway } from './payment-provider.ts'
import { providerPace } from './provider-pace.ts'
import { begunAtOnce } from './testing/begun-at-once.ts'

it('lets a share of the calls begin, and each kind has its own', async () => {
  const pace = providerPace('provider')
  expect(await begunAtOnce([pace], 10)).toBe(2)
  await expect(pace('checks')).resolves.toBeUndefined()
})

it('lets looks begin before polls that wait already, and leaves polls a share', async () => {
  const pace = providerPace('provider')
  const begun: string[] = []
  const begin = async (kind: 'looks' | 'checks') => pace(kind).then(() => begun.push(kind))
  const polls = Array.from({ length: 12 }, async () => begin('checks'))
  await polls[3]
  const looks = Array.from({ length: 14 }, async () => begin('looks'))
  await Promise.all([...polls, ...looks])
  const pollsBeforeLastLook = begun.slice(0, begun.lastIndexOf('looks')).filter((kind) => kind === 'checks').length
  // Four of the first second, and one in each that follows.
  expect(pollsBeforeLastLook).toBeGreaterThan(4)
  expect(pollsBeforeLastLook).toBeLessThan(12)
})

it('turns away what would wait too long', async () => {
  const pace = providerPace('provider')
  const calls = Array.from({ length: 12 }, async () => pace('rates'))
  for (const call of calls) call.catch(() => undefined)
  await expect(calls.at(-1)).rejects.toThrow(ProviderAway)
})
