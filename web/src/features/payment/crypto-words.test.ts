import { expect, it } from 'vitest'
import { cryptoMessages, isCryptoFailed, isCryptoPaid, isCryptoSeen, opensConfirm } from './crypto-words.ts'

it('each status of a crypto payment has its promised message', () => {
  expect(cryptoMessages).toMatchObject({
    waiting: 'Waiting for payment...',
    confirming: 'Payment received, confirming on blockchain...',
    sending: 'Payment confirmed, processing order...',
    finished: 'Payment received! Processing your order...',
    completed: 'Payment completed successfully!',
    partially_paid: 'Partial payment received - please complete the full amount',
  })
})

it('each status of a crypto payment counts as paid, failed or open', () => {
  const words = [...Object.keys(cryptoMessages), 'failed', 'expired', 'refunded']
  expect(words.filter(isCryptoPaid)).toEqual(['sending', 'finished', 'confirmed', 'completed'])
  expect(words.filter(isCryptoFailed)).toEqual(['failed', 'expired', 'refunded'])
  expect(words.filter((word) => !isCryptoSeen(word) && !isCryptoFailed(word))).toEqual([
    'init',
    'waiting',
    'partially_paid',
  ])
  expect(words.filter(opensConfirm)).toEqual(['finished', 'confirmed', 'completed'])
})
