interface CoinWords {
  readonly name: string
  readonly ticker: string
  /** Set if the coin runs on several networks, or its name does not say which. */
  readonly network?: string | undefined
}

const networks: Readonly<Record<string, string>> = {
  trx: 'Tron (TRC20)',
  trc20: 'Tron (TRC20)',
  eth: 'Ethereum (ERC20)',
  erc20: 'Ethereum (ERC20)',
  bsc: 'BNB Smart Chain (BEP20)',
  sol: 'Solana',
  matic: 'Polygon',
  arb: 'Arbitrum One',
  op: 'Optimism',
  base: 'Base',
  ton: 'TON',
  algo: 'Algorand',
}

const coins: Readonly<Record<string, CoinWords>> = {
  ltc: { name: 'Litecoin', ticker: 'LTC' },
  btc: { name: 'Bitcoin', ticker: 'BTC' },
  eth: { name: 'Ether', ticker: 'ETH', network: 'Ethereum' },
  xrp: { name: 'XRP', ticker: 'XRP', network: 'XRP Ledger' },
  xlm: { name: 'Stellar', ticker: 'XLM' },
  doge: { name: 'Dogecoin', ticker: 'DOGE' },
  bch: { name: 'Bitcoin Cash', ticker: 'BCH' },
  trx: { name: 'Tron', ticker: 'TRX' },
}

/** The network comes from a code such as `usdttrc20`, else from the provider. */
export function coinWords(code: string, network: string | null = null): CoinWords {
  const known = coins[code]
  if (known) return known
  const [, dollar, on = ''] = /^(usdt|usdc)(\w*)$/.exec(code) ?? []
  const ticker = (dollar ?? code).toUpperCase()
  const where = networks[on] ?? networks[network ?? ''] ?? network?.toUpperCase()
  return { name: ticker, ticker, network: where === ticker ? undefined : where }
}

/** `USDT on Tron (TRC20)`. */
export function coinLabel(code: string): string {
  const { name, network } = coinWords(code)
  return network === undefined ? name : `${name} on ${network}`
}

function rank(code: string): number {
  if (code === 'ltc') return 0
  return code.startsWith('usdt') ? 1 : 2
}

/** Litecoin, the shop's default, first; then USDT; then by name. */
export function inOrder(codes: readonly string[]): string[] {
  return codes.toSorted((one, other) => rank(one) - rank(other) || coinLabel(one).localeCompare(coinLabel(other)))
}

/** The name that a coin's wallets use for the memo. */
export function memoWord(code: string): string {
  return code === 'xrp' ? 'destination tag' : 'memo'
}

const schemes: Readonly<Record<string, string>> = { ltc: 'litecoin', btc: 'bitcoin' }

/** A link that opens a wallet. Undefined if the coin has no common link scheme. */
export function walletLink(code: string, { address, amount }: { address: string; amount: string }): string | undefined {
  const scheme = schemes[code]
  return scheme && `${scheme}:${address}?amount=${amount}`
}
