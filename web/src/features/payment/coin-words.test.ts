import { expect, it } from 'vitest'
import { coinLabel, coinWords, inOrder, walletLink } from './coin-words.ts'

it('a coin that runs on several networks is named with its network', () => {
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

it('an unknown network is named by the provider', () => {
  expect(coinWords('usdtnew', 'newnet')).toMatchObject({ ticker: 'USDT', network: 'NEWNET' })
  expect(coinWords('usdtx', 'trx')).toMatchObject({ network: 'Tron (TRC20)' })
  expect(coinWords('dash', 'dash').network).toBeUndefined()
})

it('Litecoin is offered first, then USDT', () => {
  expect(inOrder(['xrp', 'btc', 'usdttrc20', 'ltc', 'usdterc20'])).toEqual([
    'ltc',
    'usdterc20',
    'usdttrc20',
    'btc',
    'xrp',
  ])
})

it('a coin with a common link scheme has a wallet link', () => {
  const to = { address: 'ADDRESS', amount: '0.10' }
  expect(walletLink('ltc', to)).toBe('litecoin:ADDRESS?amount=0.10')
  expect(['usdttrc20', 'xrp', 'xlm', 'eth'].map((code) => walletLink(code, to))).toEqual(Array(4).fill(undefined))
})
