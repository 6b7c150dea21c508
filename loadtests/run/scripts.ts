/** How a k6 script is run. */
export interface Script {
  readonly does: string
  readonly seconds: number
  /** Added to the environment of the shop. */
  readonly env?: Readonly<Record<string, string>>
  readonly pushConnections?: number
  /** The shop is live, with a double of NOWPayments. */
  readonly isLive?: true
  /** From this length on the memory must stay flat. */
  readonly flatMemorySeconds?: number
  /** Checks what k6 cannot; one sentence for each broken promise. */
  readonly judge?: (p95: (trend: string) => number) => string[]
}

const FAIR_MAX = 2

export const scripts = {
  browse: {
    does: 'visitors look around, and 300 push connections are held, while a few buy',
    seconds: 20,
    // The shop accepts 100 push connections from one address.
    env: { TRUST_PROXY: 'on' },
    pushConnections: 300,
  },
  buy: {
    does: 'buyers pay and wait for their coins, at a given rate; from ten minutes on the memory stays flat',
    seconds: 60,
    flatMemorySeconds: 600,
  },
  'stock-rush': { does: '1,000 buyers want the last 50 million in the same moment', seconds: 0 },
  'pay-by-webhook': { does: 'buyers pay at a double of NOWPayments, which sends webhooks', seconds: 30, isLive: true },
  flood: {
    does: 'fair buyers, first alone, then beside addresses that ask without end',
    seconds: 40,
    env: { TRUST_PROXY: 'on', RATE_LIMIT: 'on' },
    judge(p95) {
      const [quiet, flooded] = [p95('fair_when_quiet'), p95('fair_in_the_flood')]
      const is = `fair buyers wait ${Math.round(flooded)} ms in the flood (p95), ${Math.round(quiet)} ms without`
      return flooded <= FAIR_MAX * quiet ? [] : [`${is}: more than ${FAIR_MAX} times as long`]
    },
  },
} as const satisfies Record<string, Script>

export type ScriptName = keyof typeof scripts
export const scriptNames = Object.keys(scripts) as ScriptName[]
