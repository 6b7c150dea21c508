import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import type { ApiOptions, PaymentsInUse } from '../api/api.ts'
import { type ApiServer, apiServer } from '../api/server.ts'
import { assembleShop } from '../process/assemble-shop.ts'
import { checkPayment } from '../commands/check-payment.ts'
import { ensureAdmin, setAdminPassword } from '../commands/admin-password.ts'
import { byMethod } from '../domain/payment-methods.ts'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { ADMIN_ID, hotStates } from '../shop/hot/hot-states.ts'
import { logAndKeys } from '../shop/log-and-keys.ts'
import { waysOf } from '../messages/ways.ts'
import type { Messages } from '../shop/message-notes.ts'
import { mailSender } from '../shop/shop-facts.ts'
import type { Random } from '../ports/clock-and-random.ts'
import { type PaymentProviders, type CommandContext, systemCaller } from '../shop/command-context.ts'
import type { EventStore } from '../engines/event-store/event-store.ts'
import { memoryEventStore } from '../engines/event-store/testing/memory-event-store.ts'
import { sqliteEventStore } from '../engines/event-store/sqlite-event-store.ts'
import type { Views } from '../projections/shop-views.ts'
import { projectionRunner } from '../projector/runner.ts'
import { systemClock, systemRandom } from '../process/system.ts'
import { sqliteViewStore, temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { memoryVault } from '../engines/vault/testing/memory-vault.ts'
import { sqliteVault } from '../engines/vault/sqlite-vault.ts'
import type { Vault } from '../engines/vault/vault.ts'
import { pastViews } from '../history/fold-past-views.ts'
import { allEvents } from './audit-books.ts'
import { httpClient } from './http-client.ts'
import { METRICS_TOKEN } from './shop-process.ts'
import { testWorld } from './test-world.ts'

export const ADMIN_EMAIL = 'owner@localhost'
export const ADMIN_PASSWORD = 'correct horse battery'
const ADMIN_HASH = '$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IGZvciB0ZXN0cw$MlFQP5pWrc/k0mn24kiaChL9CmQ2yl/EQKiVVUIY4R8'
export const SANDBOX_DELAY_MS = 2_000
const TIME_ZONE = 'Asia/Kolkata'
const build = { version: '1.2.3', commit: 'abcdef' }
const CATCH_UP_MS = 20_000
const START_MS = Date.parse('2026-01-01T00:00:00.000Z')

export type WrapStore = (store: EventStore) => EventStore

export interface ShopOptions {
  /** Default: memory. SQLite uses a folder that is deleted when the shop stops. */
  readonly engines?: 'memory' | 'sqlite'
  readonly random?: Random
  /** The initial time. */
  readonly startMs?: number
  readonly sandboxDelayMs?: number
  /** By default without rate limits. */
  readonly env?: Readonly<Record<string, string>>
  readonly payments?: Partial<PaymentsInUse>
  readonly webFolder?: string
  /** Replaces the sandbox's. */
  readonly providers?: Partial<PaymentProviders>
  /** These wrap engines, e.g. to make calls fail. */
  readonly wrapStore?: WrapStore
  readonly wrapVault?: (vault: Vault) => Vault
  readonly wrapViews?: (views: Views) => Views
  readonly wrapFold?: (fold: ApiOptions['foldPast']) => ApiOptions['foldPast']
  readonly probes?: ApiOptions['probes']
  readonly warnings?: ApiOptions['warnings']
  readonly webhooks?: ApiOptions['webhooks']
  readonly logger?: Logger
}

/** A whole shop in this process: real HTTP on a free port, sandbox payments, and a manual clock. */
export async function startShop(options: ShopOptions = {}) {
  const { probes = {}, warnings = {}, webhooks = {}, logger = pino({ level: 'silent' }) } = options
  const { random = systemRandom, sandboxDelayMs = SANDBOX_DELAY_MS } = options
  const folder = options.engines === 'sqlite' ? await mkdtemp(join(tmpdir(), 'coinshop-')) : undefined
  let nowMs = options.startMs ?? START_MS
  const now = () => nowMs
  const clock = { now, sleep: async (ms: number) => systemClock.sleep(ms) }
  const plain = folder === undefined ? enginesInMemory(now) : enginesIn(folder, now)
  const { viewStore } = plain
  const store = options.wrapStore?.(plain.store) ?? plain.store
  const vault = options.wrapVault?.(plain.vault) ?? plain.vault
  const { log, keys } = await logAndKeys({ store, vault }, { clock, random })
  const env = { ...plainEnv, SANDBOX_DELAY_MS: String(sandboxDelayMs), ...options.env }
  const world = testWorld({ ...options, clock, random, env })
  const assembled = assembleShop({ log, vault, keys, views: viewStore }, world)
  const { context } = assembled

  let api: ApiServer | undefined
  const follower = assembled.follower({ onEvents: (events) => api?.onEvents(events), onTrouble: () => undefined })
  await follower.start()
  await assembled.load()
  await openOwner(context)
  const runner = projectionRunner({ ...world, log, logId: 'test', store: viewStore })
  const projecting = runner.run()
  const plainViews = assembled.reader(runner)
  const views = options.wrapViews?.(plainViews) ?? plainViews
  const caughtUp = async () => reached([plainViews, follower], await log.head())
  await caughtUp()

  const foldPast = options.wrapFold?.(foldingPast(store)) ?? foldingPast(store)
  const [messages, payments] = [messagesIn(context), { ...sandbox, ...options.payments }]
  const served = { payments, webFolder: options.webFolder, webhooks, foldPast, messages }
  const server = apiServer({ context, follower, views, ...served, ...watching, probes, warnings, logger })
  api = server
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`
  const client = httpClient(url, server.routes)

  return {
    ...client,
    url,
    context,
    api: server,
    now,
    advance: (ms: number) => void (nowMs += ms),
    eventsOf: async (stream: string) => log.readStream(stream),
    allEvents: async () => allEvents(log),
    /** Logs the owner in; returns the token. */
    async logIn() {
      const { body } = await client.post('/api/admin/login', { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })
      return String(body['token'])
    },
    /** Sets the password in another process, as the command does. */
    async setPasswordElsewhere(password: string) {
      const elsewhere = { ...context, hot: hotStates({ log, clock, random }) }
      await setAdminPassword(elsewhere, systemCaller(random), password)
    },
    /** Pays the open payments of an order in the sandbox. */
    async pay(orderId: string) {
      nowMs += sandboxDelayMs
      const { state } = await findPlacedOrder(context, orderId)
      for (const { attempt, started } of state.attempts)
        if (started) await checkPayment(context, systemCaller(random), { orderId, attempt })
    },
    metrics: async () => (await client.get('/metrics', { token: METRICS_TOKEN })).text,
    /** Resolves when the hot states and views of this process have reached the end of the log. */
    caughtUp,
    policies: assembled.policies(plainViews),
    views: plainViews,
    ways: messages.ways,
    async stop() {
      await server.close(1_000)
      await runner.stop()
      await Promise.all([projecting, ...messages.ways.map(async (way) => way.close())])
      await Promise.all([follower.stop(), store.close()])
      await Promise.all([viewStore.close(), vault.close()])
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestShop = Awaited<ReturnType<typeof startShop>>

function messagesIn(context: CommandContext): Messages {
  const { now } = context.clock
  return { ways: waysOf(context.config, { now, sender: () => mailSender(context) }), logId: 'test' }
}

/** Uses a password hash of minimal cost, since most tests start a shop. */
async function openOwner(context: CommandContext): Promise<void> {
  const password = { passwordId: context.random.uuid(), hash: ADMIN_HASH }
  await context.vault.setPasswordHash(ADMIN_ID, password, { replaces: undefined })
  await ensureAdmin(context, systemCaller(context.random), { email: ADMIN_EMAIL, password: undefined })
}

async function reached(followers: readonly Pick<Views, 'waitFor'>[], position: string): Promise<void> {
  const answers = await Promise.all(followers.map(async (one) => one.waitFor(position, CATCH_UP_MS)))
  if (answers.includes(false)) throw new Error(`views or hot states have not reached ${position}`)
}

function foldingPast(store: EventStore): ApiOptions['foldPast'] {
  return async (asked) => pastViews({ store, timeZone: TIME_ZONE, ...asked })
}

function enginesInMemory(now: () => number) {
  return { store: memoryEventStore({ now }), vault: memoryVault(), viewStore: temporaryViewStore() }
}

function enginesIn(folder: string, now: () => number) {
  return {
    store: sqliteEventStore(join(folder, 'events.db'), { now }),
    vault: sqliteVault(join(folder, 'vault.db')),
    viewStore: sqliteViewStore(join(folder, 'views')),
  }
}

const plainEnv = { RATE_LIMIT: 'off', SUPPORT_EMAIL: 'help@shop.example' }
const watching = { build, metricsToken: METRICS_TOKEN }

const sandbox: PaymentsInUse = {
  kind: 'sandbox',
  unusableMethods: byMethod(() => null),
  windows: { hosts: [], hasInlineStyles: false },
}
