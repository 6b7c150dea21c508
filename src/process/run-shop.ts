import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ApiOptions, Build } from '../api/api.ts'
import { assembleShop, type Shop } from './assemble-shop.ts'
import { namedLine, withoutKeys } from '../ports/one-line.ts'
import type { RedisLimiters } from '../api/auth/redis-limiter.ts'
import { healthServer } from '../api/health/health.ts'
import { shopMetrics } from '../api/health/metrics.ts'
import { shopServer } from '../api/http/shop-server.ts'
import { apiServer, type ApiServer } from '../api/server.ts'
import { ensureAdmin, type AdminAccount } from '../commands/admin-password.ts'
import { deleteEndedBlocks } from '../commands/block-buyer.ts'
import { deleteErased } from '../commands/erase-customer.ts'
import { countUnreadable, unreadableText } from '../shop/known-buyers.ts'
import { hasContact } from '../shop/shop-facts.ts'
import { logHeadMark } from '../shop/log-head.ts'
import { type CommandContext, systemCaller } from '../shop/command-context.ts'
import { buildOf } from './build.ts'
import { type Config, ConfigError } from '../config.ts'
import { watchEngines } from './engine-watch.ts'
import { inTime } from '../ports/in-time.ts'
import { type Engines, openShopEngines, openLimits, openPace, redisPrefix } from './shop-engines.ts'
import {
  assertTakesMoney,
  callsProviders,
  kindOfPayments,
  providersFor,
  windowsOf,
  unusableMethods,
  webhooksOf,
  webhooksUnreachable,
  type GatewayHooks,
} from './payment-providers.ts'
import { openMessages, startMessenger } from './messages.ts'
import { lastPosition } from '../log/event-log.ts'
import { foreignText } from '../engines/event-store/limits.ts'
import { isLogFile, openQueue } from '../engines/open-engines.ts'
import { engineProbes, fullDiskOf, metricSources, shopProbes, shopWarnings } from './probes.ts'
import { type ProjectorThread, startProjectorThread } from './start-projector.ts'
import { pastFolder } from './start-past.ts'
import { levelOf } from './log-level.ts'
import { redisTroubles } from './redis-troubles.ts'
import { GRACE_MS, type Stop, stopAll } from './stops.ts'
import { systemClock } from './system.ts'
import { type World, worldOf } from './world.ts'
import { Sweep } from '../workers/sweep.ts'
import { vaultLeases } from '../workers/vault-leases.ts'
import type { Views } from '../projections/shop-views.ts'
import { checkKeysAtStart } from '../api/routes/provider-states.ts'
import { webhookTimeSaver, lastWebhookAt } from './webhook-mark.ts'
import { calledProviders } from '../shop/providers.ts'
import type { JobQueue } from '../engines/job-queue/job-queue.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** A shop in this process, with what it has started. */
export interface RunningShop {
  readonly context: CommandContext
  readonly engines: Engines
  /** URL of the shop, or without the role `api` of its health checks; undefined if it does not listen. */
  readonly url: string | undefined
  readonly build: Build
  readonly admin: AdminAccount
  /** Takes at most 10 s; resolves with the names of parts that did not end. Never rejects. */
  stop(): Promise<readonly string[]>
}

interface RunOptions {
  readonly logger: Logger
  /** Called with the progress of a long start. */
  readonly progress?: (text: string) => void
}

/** Opens the engines, loads the hot states, and starts this process's roles. If a part fails, stops the parts that have started. */
export async function runShop(config: Config, options: RunOptions): Promise<RunningShop> {
  const { logger, progress } = options
  const stops: Stop[] = []
  try {
    // Before creating anything, check what can prevent the start: the configuration, the port, the folder.
    assertTakesMoney(config, unusableMethods(config, providersFor(config, systemClock)))
    await assertPortFree(config)
    const engines = await openShopEngines(config, { onForeign: (stream) => logger.warn(foreignText(stream)) })
    stops.push(
      { phase: 'engines', name: 'the views', stop: () => engines.views.close() },
      { phase: 'engines', name: 'the log', stop: () => engines.store.close() },
      { phase: 'engines', name: 'the vault', stop: () => engines.vault.close() },
    )
    progress?.('reading stock, settings and accounts')
    const onTrouble = redisTroubles(logger)
    const hooks = await gatewayHooks(config, engines, { logger, stops, onTrouble })
    const world = worldOf(config, { hooks })
    const shop = assembleShop(engines, world)
    const { context } = shop
    await warnOfErased(context, logger)

    let api: ApiServer | undefined
    let projector: ProjectorThread | undefined
    const headMark = logHeadMark(engines.vault)
    const follower = shop.follower({
      onEvents: (events) => {
        headMark.note(lastPosition(events))
        api?.onEvents(events)
        projector?.notifyAppended(lastPosition(events))
      },
      onTrouble: (error) => logger[levelOf(error, 'error')]({ error: namedLine(error) }, 'the log cannot be followed'),
      onDamaged: ({ stream, damage }) => logger.error({ stream, reason: damage }, 'a stream is damaged'),
    })
    await follower.start()
    headMark.note(follower.position())
    stops.push({
      phase: 'followers',
      name: "the log's follower",
      stop: async () => follower.stop().then(() => headMark.stop()),
    })
    await shop.load(progress)
    if (callsProviders(config)) warnOfPayments(context, logger)

    warnOfUnreadable(engines, logger, stops)
    const queue = await openJobs(config, { engines, context }, { logger, stops, onTrouble })
    projector = config.ROLES.includes('projector') ? startProjector(config, logger, stops) : undefined
    const views = shop.reader(projector)
    const messages = openMessages(context, engines, stops)
    if (config.ROLES.includes('worker')) startWorker(shop, { queue, views, messages }, logger, stops)
    const servesShop = config.ROLES.includes('api')
    const limits = servesShop ? await openLimits(config, engines, { onTrouble }) : undefined
    stops.push({ phase: 'followers', name: 'the rate limits', stop: async () => limits?.close() })
    let admin: AdminAccount | undefined
    const isStarted = (): boolean => admin !== undefined
    const { projections } = world
    const watch = watchOf({ context, engines, queue, projections, views, projector, limits, isStarted }, logger, stops)
    if (servesShop) api = serveApi(context, engines, { follower, views, logger, messages, ...watch, ...limits })
    const serving = api ?? healthServer(watch)
    stops.push({ phase: 'work', name: 'running requests', stop: () => serving.close(GRACE_MS) })
    const url = await urlOf(serving, config)
    if (servesShop) {
      void checkKeysAtStart(context, logger)
      void recallWebhooks(context, engines)
    }
    // Last: only the caller shows a new password, so nothing may fail after this.
    admin = await ensureAdmin(context, systemCaller(context.random), {
      email: config.ADMIN_EMAIL,
      password: config.ADMIN_PASSWORD,
    })
    return { context, engines, build: watch.build, url, admin, stop: async () => stopAll(stops) }
  } catch (error) {
    await stopAll(stops)
    throw error
  }
}

async function gatewayHooks(
  config: Config,
  engines: Engines,
  { logger, stops, onTrouble }: { logger: Logger; stops: Stop[]; onTrouble: (error: Error) => void },
): Promise<GatewayHooks> {
  const paced = await openPace(config, engines, { onTrouble })
  stops.push(
    { phase: 'work', name: 'polls', stop: async () => paced?.stopPolls() },
    { phase: 'engines', name: "the providers' pace", stop: async () => paced?.close() },
  )
  return {
    ...(paced && { paceOf: paced.paceOf }),
    onUnknownStatus: (provider, word) =>
      logger.error(
        { provider, word },
        'a payment has a status that this release does not know: nothing is done with it',
      ),
  }
}

async function openJobs(
  config: Config,
  { engines, context }: Pick<RunningShop, 'engines' | 'context'>,
  { logger, stops, onTrouble }: { logger: Logger; stops: Stop[]; onTrouble: (error: Error) => void },
): Promise<JobQueue> {
  const leases = vaultLeases(engines.vault, { owner: context.random.uuid(), now: () => performance.now() })
  const queue = await openQueue(config, redisPrefix(engines.keys), {
    onJobFailed: ({ type, id }, error) =>
      logger[levelOf(error)]({ job: type, id: withoutKeys(id), error: namedLine(error) }, 'a job failed'),
    onTrouble,
    async mayRun() {
      const isOurs = await leases.hold('jobs')
      if (isOurs) onTrouble(new Error('it takes no job: this process runs what is due until it does'))
      return isOurs
    },
  })
  stops.push({ phase: 'work', name: 'running jobs', stop: () => queue.close(GRACE_MS) })
  return queue
}

/** Loads the time of each provider's last webhook. */
async function recallWebhooks(context: CommandContext, { views }: Pick<Engines, 'views'>): Promise<void> {
  for (const { provider, health } of calledProviders(context))
    health.webhookAt ??= await lastWebhookAt(views.texts, provider.name).catch(() => undefined)
}

function warnOfPayments(context: CommandContext, logger: Logger): void {
  const { config, providers } = context
  for (const [method, reason] of Object.entries(unusableMethods(config, providers)))
    if (reason !== null) logger.warn({ method, reason }, 'a payment method takes no money')
  const reason = webhooksUnreachable(config)
  if (reason !== undefined)
    logger.warn({ reason }, 'no webhook can reach PUBLIC_URL: payments are noticed only when their provider is asked')
  if (config.PAYMENTS === 'live' && config.ROLES.includes('api') && !hasContact(context))
    logger.warn('buyers cannot write to this shop: set a contact in the settings, or one of the variables')
}

async function warnOfErased(context: CommandContext, logger: Logger): Promise<void> {
  const broughtBack = await deleteErased(context)
  if (broughtBack > 0)
    logger.warn({ customers: broughtBack }, 'the vault is an older copy: erased customers were deleted again')
  await deleteEndedBlocks(context)
}

/** Not awaited: a long log takes a while. */
function warnOfUnreadable(engines: Engines, logger: Logger, stops: Stop[]): void {
  const stopping = new AbortController()
  const counted = countUnreadable(engines, { signal: stopping.signal }).then(
    (orders) => void (orders > 0 && logger.warn({ orders }, unreadableText(orders))),
    // The probes of log and vault report outages.
    () => undefined,
  )
  const stop = async (): Promise<void> => {
    stopping.abort()
    await counted
  }
  stops.push({ phase: 'followers', name: 'the count of unreadable orders', stop })
}

function startProjector(config: Config, logger: Logger, stops: Stop[]): ProjectorThread {
  const projector = startProjectorThread({
    config,
    onTrouble: (text) => logger.error({ error: namedLine(text) }, 'the views cannot be kept up'),
    onRecovered: () => logger.info('the views are kept up again'),
    onCrashed: ({ error, againInMs }) =>
      logger.error({ error: namedLine(error), againInMs }, 'the projector has crashed and is restarted'),
  })
  stops.push({ phase: 'followers', name: 'the projector', stop: () => projector.stop() })
  return projector
}

function startWorker(
  shop: Shop,
  { queue, views, messages }: { queue: JobQueue; views: Views; messages: ReturnType<typeof openMessages> },
  logger: Logger,
  stops: Stop[],
): void {
  const { clock, random } = shop.context
  const sweep = new Sweep({
    policies: shop.policies(views),
    queue,
    clock,
    random,
    onTrouble: (error, policy) => {
      logger[levelOf(error)]({ policy, error: namedLine(error) }, 'a sweep could not look for due work')
    },
  })
  sweep.start()
  stops.push({ phase: 'work', name: 'the search for work', stop: () => inTime(sweep.stop(), GRACE_MS, undefined) })
  startMessenger(shop.context, { ...messages, views, logger, stops })
}

function serveApi(
  context: CommandContext,
  { views }: Pick<Engines, 'views'>,
  options: Omit<ApiOptions, 'context' | 'payments' | 'webFolder' | 'foldPast' | 'webhooks'>,
): ApiServer {
  const { config, providers } = context
  return apiServer({
    context,
    payments: {
      kind: kindOfPayments(config),
      unusableMethods: unusableMethods(config, providers),
      windows: windowsOf(config),
    },
    webFolder: existsSync(WEB_FOLDER) ? WEB_FOLDER : undefined,
    foldPast: pastFolder(config),
    webhooks: webhooksOf(config, { context, storeArrival: webhookTimeSaver(views.texts) }),
    ...options,
  })
}

/** The sources of `/readyz` and `/metrics`. */
function watchOf(
  {
    context,
    engines,
    ...watched
  }: {
    readonly context: CommandContext
    readonly engines: Engines
    readonly queue: JobQueue
    readonly projections: World['projections']
    readonly views: Views
    readonly projector: ProjectorThread | undefined
    readonly limits: RedisLimiters | undefined
    readonly isStarted: () => boolean
  },
  logger: Logger,
  stops: Stop[],
): Pick<ApiOptions, 'build' | 'probes' | 'warnings' | 'metrics' | 'metricsToken'> {
  const { config, providers, clock } = context
  const { log, vault, views: viewStore } = engines
  const fullDisk = {
    log: fullDiskOf(isLogFile(config) ? config.DATA_DIR : undefined),
    vault: fullDiskOf(config.VAULT_URL === undefined ? config.DATA_DIR : undefined),
  }
  const parts = { log, vault, viewStore, fullDisk, providers, ...watched, now: () => clock.now() }
  const endWatch = watchEngines(engineProbes(parts), logger)
  stops.push({ phase: 'work', name: 'the watch over the engines', stop: async () => endWatch() })
  const build = buildOf(config.COMMIT_SHA)
  const metrics = shopMetrics(metricSources({ ...parts, build }))
  const watch = { probes: shopProbes(parts), warnings: shopWarnings(parts) }
  return { build, ...watch, metrics, metricsToken: config.METRICS_TOKEN }
}

/** Checks the port and frees it again: a load balancer must use another process until this one can answer. */
async function assertPortFree({ PORT, HOST }: Config): Promise<void> {
  if (PORT === undefined) return
  const probe = shopServer(() => undefined)
  await portOf(probe, PORT, HOST)
  await probe.close()
}

/** Undefined without PORT, which only the role `api` needs. */
async function urlOf(serving: Pick<ApiServer, 'listen'>, { PORT, HOST }: Config): Promise<string | undefined> {
  if (PORT === undefined) return undefined
  const port = await portOf(serving, PORT, HOST)
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
}

async function portOf(server: Pick<ApiServer, 'listen'>, port: number, host: string): Promise<number> {
  try {
    return await server.listen(port, host)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new ConfigError(`PORT ${port} is taken by another program; set PORT to another one`)
    if (code === 'EACCES')
      throw new ConfigError(`PORT ${port} may not be opened by this user; set PORT to one above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST ${host} is not an address of this machine`)
    throw error
  }
}
