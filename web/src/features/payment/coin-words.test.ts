import { expect, it } from 'vitest'
import { coinLabel, coinWords, inOrder, walletLink } from './coin-words.ts'

it('names each coin with its network, where it lives on several', () => {
  expect(['ltc', 'usdttrc20', 'usdterc20', 'usdtbsc', 'usdcsol', 'xrp', 'pepe'].map(coinLabel)).toEqual([
    'Litecoin',
    'USDT on Tron (TRC20)',
    'USDT on Ethereum (ERC20)',
    'USDT on BNB Smart Chain (BEP20)',
    'USDC on Solana',
    'XRP on XRP Ledger',
    'PEPE',
  ])
})

it('takes the provider’s word for a network that it does not know', () => {
  expect(coinWords('usdtnew', 'newnet')).toMatchObject({ ticker: 'USDT', network: 'NEWNET' })
  expect(coinWords('usdtx', 'trx')).toMatchObject({ network: 'Tron (TRC20)' })
  expect(coinWords('dash', 'dash').network).toBeUndefined()
})

it('offers Litecoin first, then dollars', () => {
  expect(inOrder(['xrp', 'btc', 'usdttrc20', 'ltc', 'usdterc20'])).toEqual([
    'ltc',
    'usdterc20',
    'usdttrc20',
    'btc',
    'xrp',
  ])
})

it('opens a wallet where wallets agree on a link', () => {
  const to = { address: 'ADDRESS', amount: '0.10' }
  expect(walletLink('ltc', to)).toBe('litecoin:ADDRESS?amount=0.10')
  expect(['usdttrc20', 'xrp', 'xlm', 'eth'].map((code) => walletLink(code, to))).toEqual(Array(4).fill(undefined))
})
