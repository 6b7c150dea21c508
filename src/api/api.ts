import type { Logger } from 'pino'
import type { Follower } from '../shop/hot/follower.ts'
import { callerNetwork } from '../payments/caller-network.ts'
import type { Messages } from '../shop/message-notes.ts'
import type { ProviderWindows, ReceivedWebhook } from '../payments/payment-provider.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { logBeganAt } from '../shop/log-head.ts'
import { adminTokens } from './auth/admin-token.ts'
import { sessionNotes } from '../shop/session-notes.ts'
import { signer } from '../shop/signer.ts'
import { loginLimit } from './auth/login-limit.ts'
import { Limit, type LimiterFor, memoryLimiter } from './auth/limit.ts'
import { noOrderLimit, orderLimit } from './auth/order-limit.ts'
import { withoutKeys } from '../ports/one-line.ts'
import { methodLimits } from './routes/method-limits.ts'
import { updatesHub } from './updates/updates-hub.ts'
import { wirePositions } from './http/wire-positions.ts'
import { pastDays } from './as-of/past-days.ts'
import type { FoldPast } from '../projections/past-views.ts'
import type { Views } from '../projections/shop-views.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'

/** What the configuration and the payments room know about payments. */
export interface PaymentsInUse {
  /** `test`: as live, but a provider's address was replaced by a double's. */
  readonly kind: 'sandbox' | 'test' | 'live'
  /** Why a method cannot be used even if it is switched on; null if it can. */
  readonly unusableMethods: Readonly<Record<PaymentMethod, string | null>>
  /** Pages and scripts of the providers, which the browser must allow. Empty in the sandbox. */
  readonly windows: ProviderWindows
}

/** The running release. */
export interface Build {
  readonly version: string
  readonly commit: string
}

/** Why this process cannot serve; undefined if it can. */
export type Probe = () => Promise<string | undefined>

export interface ApiOptions {
  readonly context: CommandContext
  readonly follower: Pick<Follower, 'position' | 'waitFor'>
  /** Routes use `call.views()`, which waits for what the caller has seen. */
  readonly views: Views
  readonly payments: PaymentsInUse
  /** Folder of the built screens; undefined if there are none. */
  readonly webFolder: string | undefined
  readonly build: Build
  readonly probes: Readonly<Record<string, Probe>>
  /** Say what does not work while the shop sells all the same. */
  readonly warnings?: Readonly<Record<string, Probe>>
  readonly foldPast: FoldPast
  readonly messages: Messages
  /** Counters of the rate limits; by default in this process. */
  readonly limiterFor?: LimiterFor
  /** Bearer token for `/metrics`, which returns 404 without one. */
  readonly metricsToken?: string | undefined
  /** Lines for `/metrics`, after the API's own. */
  readonly metrics?: () => Promise<string>
  /** Webhook handlers by provider; they get the raw body. */
  readonly webhooks?: Readonly<Record<string, WebhookHandler>>
  readonly logger: Logger
}

export type WebhookHandler = (webhook: ReceivedWebhook) => Promise<WebhookAnswer>

export interface WebhookAnswer {
  readonly status: number
  readonly text: string
  /** For the metrics: one of a few words, known once the webhook's check has ended. Rejects if the check fails unexpectedly after the answer. */
  readonly result: Promise<string>
}

/** Per minute and network. */
const PROVIDER_CALLS_MAX = 60
/** Per minute and network. A purchase takes about five calls, and a mobile network has many buyers behind one address. */
const WRITES_MAX = 240

/** Per network in 15 minutes, as of logins. */
const FINDS_MAX = 10
/** Per minute and network: a way that is asked too often refuses the messages about orders, too. */
const MESSAGE_TESTS_MAX = 5

export type Api = ReturnType<typeof apiOf>

/** Runs what makes the shop call a provider: limited by the caller's networks, in the turns of the widest one. */
export type CallProvider = <Answer>(
  networks: readonly [string, ...string[]],
  run: () => Promise<Answer>,
) => Promise<Answer>

/** What the routes need. */
export function apiOf({
  context,
  follower,
  views,
  payments,
  foldPast,
  messages,
  logger,
  limiterFor = memoryLimiter,
}: ApiOptions) {
  const { config, keys } = context
  const limiter = config.RATE_LIMIT === 'on' ? limiterFor : undefined
  const sessionSecret = config.JWT_SECRET === undefined ? keys.secretFor('session') : Buffer.from(config.JWT_SECRET)
  return {
    context,
    follower,
    views,
    payments,
    messages,
    hub: updatesHub(),
    tokens: adminTokens({ secret: sessionSecret, now: () => context.clock.now() }),
    loginLimit: loginLimit(limiter),
    sessionSeen: sessionNotes(context),
    orderLimit: limiter ? orderLimit(limiter, config) : noOrderLimit,
    callProvider: callProvider(new Limit(limiter, { name: 'calls', max: PROVIDER_CALLS_MAX, windowS: 60 })),
    /** For calls that may write, by callers without a session. */
    writeLimit: new Limit(limiter, { name: 'writes', max: WRITES_MAX, windowS: 60 }),
    findLimit: new Limit(limiter, { name: 'finds', max: FINDS_MAX, windowS: 15 * 60 }),
    logger,
    messageTestLimit: new Limit(limiter, { name: 'message-tests', max: MESSAGE_TESTS_MAX, windowS: 60 }),
    /** Signs ids of browsers that the owner has logged in from: strangers' failed logins do not lock these out. */
    knownBrowsers: signer(sessionSecret, 'browser'),
    positions: wirePositions(keys.secretFor('position')),
    /** Signs ids of orders, for the browser that placed them. */
    placedHere: signer(keys.secretFor('placed-here'), 'placed'),
    methodLimits: methodLimits(context),
    pastDays: pastDays({
      foldPast,
      timeZone: config.SHOP_TIME_ZONE,
      now: () => context.clock.now(),
      beganAt: async () => logBeganAt(context.log),
      onFailed: (error) => logger.error({ error: withoutKeys(String(error)) }, 'a past day could not be shown'),
    }),
    isSecure: config.PUBLIC_URL.startsWith('https:'),
  }
}

function callProvider(limit: Limit): CallProvider {
  return async (networks, run) => {
    await limit.consume(networks)
    return callerNetwork.run(networks.at(-1) ?? '', run)
  }
}
