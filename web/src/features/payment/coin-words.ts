interface CoinWords {
  readonly name: string
  readonly ticker: string
  /** Where the same coin lives on several networks, or the name does not tell it. */
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

/** A code such as `usdttrc20` holds the coin and its network; the provider's word for the network is used for others. */
export function coinWords(code: string, network: string | null = null): CoinWords {
  const known = coins[code]
  if (known) return known
  const [, dollar, on = ''] = /^(usdt|usdc)(\w*)$/.exec(code) ?? []
  const ticker = (dollar ?? code).toUpperCase()
  const where = networks[on] ?? networks[network ?? ''] ?? network?.toUpperCase()
  return { name: ticker, ticker, network: where === ticker ? undefined : where }
}

/** `USDT on Tron (TRC20)`, where a buyer chooses. */
export function coinLabel(code: string): string {
  const { name, network } = coinWords(code)
  return network === undefined ? name : `${name} on ${network}`
}

function rank(code: string): number {
  if (code === 'ltc') return 0
  return code.startsWith('usdt') ? 1 : 2
}

/** Litecoin first, as the shop says everywhere, then dollars, then by name. */
export function inOrder(codes: readonly string[]): string[] {
  return codes.toSorted((one, other) => rank(one) - rank(other) || coinLabel(one).localeCompare(coinLabel(other)))
}

/** What a coin's wallets call the text that is sent with the money. */
export function memoWord(code: string): string {
  return code === 'xrp' ? 'destination tag' : 'memo'
}

const schemes: Readonly<Record<string, string>> = { ltc: 'litecoin', btc: 'bitcoin' }

/** A link that opens a wallet; undefined where wallets agree on none. */
export function walletLink(code: string, { address, amount }: { address: string; amount: string }): string | undefined {
  const scheme = schemes[code]
  return scheme && `${scheme}:${address}?amount=${amount}`
}
