import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import type { RedisLimiters, redisLimiters } from '../api/auth/redis-limiter.ts'
import { bindVault, vaultIdOf } from '../commands/bind-vault.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import type { ShopKeys } from '../shop/keys.ts'
import { logAndKeys } from '../shop/log-and-keys.ts'
import { systemCaller } from '../shop/command-context.ts'
import { type Config, ConfigError, NoShop } from '../config.ts'
import { CLOCK_OFF_MS_MAX } from '../domain/clocks-apart.ts'
import { SETTINGS_STREAM, STOCK_STREAM } from '../domain/stream-names.ts'
import type { EventLog } from '../log/event-log.ts'
import { openLogStore } from '../log/open-log-store.ts'
import { type EventStore, EventStoreDamaged, type Position, START } from '../engines/event-store/event-store.ts'
import { shortOf } from '../engines/event-store/limits.ts'
import {
  assertDatabaseAddresses,
  assertLogAddress,
  assertLogFits,
  isLogFile,
  logAddress,
  type Opening,
  openVault,
  openViews,
  type QueueHooks,
  vaultFile,
} from '../engines/open-engines.ts'
import type { Pace } from '../payments/provider-pace.ts'
import { knownHead, namedLog, nameLog } from '../shop/log-head.ts'
import { dropSet, completeSets } from '../projector/housekeeping.ts'
import { systemClock, systemRandom } from './system.ts'
import { type Vault, VaultDamaged } from '../engines/vault/vault.ts'
import { type ViewStore, ViewStoreAway } from '../engines/view-store/view-store.ts'

/** Timeout of the view database: short, since screens wait. */
const VIEWS_ANSWER_MS = 3_000
/** Before any release: a clock that says an earlier time is not set. */
const EARLIEST_NOW = Date.UTC(2025, 0, 1)

const system = { clock: systemClock, random: systemRandom }

/** The engines that must belong together: the log, its vault, and the views built from it. */
export interface Engines {
  readonly store: EventStore
  readonly vault: Vault
  readonly views: ViewStore
  readonly log: EventLog
  readonly keys: ShopKeys
  /** Views are bound to one log: positions of two logs would compare as text. */
  readonly logId: string
  close(): Promise<void>
}

interface OpenOptions extends Pick<Opening, 'onForeign'> {
  /** Does not check that the log is whole and the one that the vault names; leaves the views alone. */
  readonly mayHaveLostEvents?: boolean
  /** Keeps views of another log; a start of the shop drops them. */
  readonly leavesViews?: boolean
}

/**
 * Opens the configured engines. Closes all and throws a one-line error if one cannot be opened, is missing, or belongs to
 * another shop than the others. Only the view database may be away: the shop sells without it.
 */
export async function openShopEngines(
  config: Config,
  { mayHaveLostEvents = false, leavesViews = false, ...opening }: OpenOptions = {},
): Promise<Engines> {
  assertClockIsSet()
  await assertLogAddress(config)
  await assertDatabaseAddresses(config)
  assertWritable(config.DATA_DIR)
  const names = namesOf(config)
  const logFile = isLogFile(config) ? names.log : undefined
  return allOrNone(async (keep) => {
    const vault = keep(await openVault(config))
    // The order matters for concurrent first starts: the vault's secret, the log's first event, the vault's owner.
    const hasOwner = !isMissing(vaultFile(config)) && (await vault.passwordHash(ADMIN_ID)) !== undefined
    if (hasOwner && isMissing(logFile)) throw refusals.logMissing(names)
    const store = keep(await openLogStore(config, opening))
    await assertLogFits(config, CLOCK_OFF_MS_MAX)
    const isEmpty = (await store.head()) === START
    if (hasOwner && isEmpty) throw refusals.logMissing(names)
    if (!isEmpty && isMissing(vaultFile(config))) throw refusals.vaultMissing(names)
    const logId = await store.identity()
    const { log, keys } = await logAndKeys({ store, vault }, system)
    if (!(await bindVault({ log, keys, clock: systemClock }, systemCaller(systemRandom))))
      throw refusals.shopsMixed(names)
    const named = await namedLog(vault)
    if (named === undefined) await nameLog(vault, logId)
    else if (named !== logId && !mayHaveLostEvents) throw refusals.logLeft(names)
    const views = keep(await openViews(config, { answerMs: VIEWS_ANSWER_MS }))
    const engines = { store, vault, views, log, keys, logId }
    if (mayHaveLostEvents) return engines
    // Throws if a server hides their first events: what they hold cannot be decided on.
    for (const stream of [STOCK_STREAM, SETTINGS_STREAM]) await store.readStream(stream, { fromRevision: 0, limit: 1 })
    const heads = (await headsOf(engines).catch(ignoreViewsAway)) ?? (await furthestOf(START, engines))
    if (heads.knownHead > heads.head) throw refusals.eventsLost(names, heads)
    // The projector does the same, with retries.
    if (!leavesViews) await dropViewsOfOthers(engines).catch(ignoreViewsAway)
    return engines
  })
}

/** A machine without a clock battery starts in 1970. */
function assertClockIsSet(): void {
  const now = new Date()
  if (now.getTime() < EARLIEST_NOW)
    throw new ConfigError(`this machine's clock says ${now.toISOString()}, which is past: set it by a time server`)
}

/** Creates nothing. Throws `NoShop` if the log has never been written. */
export async function assertShop(config: Config): Promise<void> {
  await assertDatabaseAddresses(config)
  if (!isLogFile(config)) return assertShopAt(config)
  const { vault, log } = namesOf(config)
  if (!isMissing(log)) return
  const there = config.VAULT_URL === undefined && !isMissing(vault) ? `, but ${vault} is there` : ''
  throw new NoShop(
    `no shop in ${config.DATA_DIR}: ${log} is missing or empty${there}; DATA_DIR names the folder of a shop`,
  )
}

async function assertShopAt(config: Config): Promise<void> {
  await assertLogAddress(config)
  const store = await openLogStore(config, { isReadOnly: true })
  try {
    if ((await store.head()) === START)
      throw new NoShop(`no shop at ${logAddress(config).variable}: that server has no event of one`)
  } finally {
    await store.close()
  }
}

/** Opens the projector thread's own connections, after `openShopEngines` has checked that the engines belong together. */
export async function openProjectorEngines(config: Config): Promise<Engines> {
  return allOrNone(async (keep) => {
    const vault = keep(await openVault(config))
    const store = keep(await openLogStore(config))
    const views = keep(await openViews(config))
    return { store, vault, views, ...(await logAndKeys({ store, vault }, system)), logId: await store.identity() }
  })
}

/** Drops the views of another log: positions of two logs would compare as text. */
export async function dropViewsOfOthers({ views, logId }: Pick<Engines, 'views' | 'logId'>): Promise<void> {
  for (const { set, state } of await completeSets(views)) if (state.logId !== logId) await dropSet(views, set)
}

export interface Heads {
  readonly knownHead: Position
  readonly head: Position
}

/** The log's head, and its head according to vault and views. Rejects with ViewStoreAway while the views are away. */
export async function headsOf({
  store,
  vault,
  views,
  logId,
}: Pick<Engines, 'store' | 'vault' | 'views' | 'logId'>): Promise<Heads> {
  const checkpoints = (await completeSets(views)).flatMap(({ state }) =>
    state.logId === logId ? [state.checkpoint] : [],
  )
  const ofViews = checkpoints.toSorted().at(-1) ?? START
  return furthestOf(ofViews, { store, vault, logId })
}

async function furthestOf(ofViews: Position, { store, vault, logId }: Pick<Engines, 'store' | 'vault' | 'logId'>) {
  const ofVault = await knownHead(vault, logId)
  // Read last: other processes append meanwhile.
  const head = await store.head()
  return { knownHead: ofVault > ofViews ? ofVault : ofViews, head }
}

function ignoreViewsAway(error: unknown): undefined {
  if (!(error instanceof ViewStoreAway)) throw error
}

interface Closable {
  close(): Promise<void>
}

/** Opens several engines, or none: a failure closes the others. `close` closes the last one first. */
async function allOrNone<Opened>(
  open: (keep: <Engine extends Closable>(engine: Engine) => Engine) => Promise<Opened>,
): Promise<Opened & Closable> {
  const opened: Closable[] = []
  const close = async (): Promise<void> => {
    for (const engine of opened.toReversed()) await engine.close()
  }
  try {
    const engines = await open((engine) => {
      opened.push(engine)
      return engine
    })
    return { ...engines, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Rate limits that all processes share; undefined if each counts for itself. */
export async function openLimits(
  config: Config,
  { keys }: Pick<Engines, 'keys'>,
  { onTrouble }: Pick<QueueHooks, 'onTrouble'>,
): Promise<RedisLimiters | undefined> {
  if (config.RATE_LIMIT === 'off') return undefined
  return sharedLimiters(config, { prefix: redisPrefix(keys), secret: keys.secretFor('limits'), onTrouble })
}

async function sharedLimiters(
  { REDIS_URL: url }: Config,
  options: Omit<Parameters<typeof redisLimiters>[0], 'url'>,
): Promise<RedisLimiters | undefined> {
  if (url === undefined) return undefined
  const { redisLimiters } = await import('../api/auth/redis-limiter.ts')
  return redisLimiters({ url, ...options })
}

/** Limits the rate of calls to providers, over all processes that share a Redis; undefined if there are no calls. */
export async function openPace(
  config: Config,
  { keys }: Pick<Engines, 'keys'>,
  { onTrouble }: Pick<QueueHooks, 'onTrouble'>,
): Promise<{ paceOf: (provider: string) => Pace; stopPolls(): void; close(): void } | undefined> {
  if (config.PAYMENTS === 'sandbox') return undefined
  const { providerPace } = await import('../payments/provider-pace.ts')
  const limiters = await sharedLimiters(config, { prefix: redisPrefix(keys), onTrouble })
  const stopping = new AbortController()
  return {
    paceOf: (provider) => providerPace(provider, limiters?.limiterFor, stopping.signal),
    stopPolls: () => stopping.abort(),
    close: () => limiters?.close(),
  }
}

/** Several shops may share a Redis. */
export function redisPrefix(keys: ShopKeys): string {
  return `coinshop-${vaultIdOf(keys).slice(0, 12)}`
}

/** Names of the files and servers with data, for messages. */
interface Named {
  readonly vault: string
  readonly log: string
}

function namesOf(config: Config): Named {
  return { vault: vaultFile(config) ?? 'the vault at VAULT_URL', log: logAddress(config).name }
}

/** Checks files only: a server must be asked. SQLite treats an empty file as a new one. */
function isMissing(file: string | undefined): boolean {
  return file !== undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0
}

const refusals = {
  logMissing: ({ vault, log }: Named) =>
    new EventStoreDamaged(
      `${log} is missing or empty, but ${vault} is of a shop that has been open: put the log back (its newest backup), or set DATA_DIR to an empty folder for a new shop`,
    ),
  vaultMissing: ({ vault, log }: Named) =>
    new VaultDamaged(
      `${vault} is missing or empty, and without it nobody can read who the buyers in ${log} are: put the vault back (its newest backup)`,
    ),
  shopsMixed: ({ vault, log }: Named) =>
    new VaultDamaged(
      `${vault} and ${log} are of two different shops: put back the vault that belongs to this log, or set DATA_DIR to the folder where both are`,
    ),
  /** A shop on a copy of its log would write a second history. */
  logLeft: ({ vault, log }: Named) =>
    new ConfigError(
      `${log} is not the log that ${vault} names: the shop has left it, or log copy into it has not ended. Set EVENTSTOREDB_URL or DATA_DIR to the log of the shop; where an older vault was put back: npm run shop -- admin accept-loss`,
    ),
  eventsLost: ({ log }: Named, { knownHead, head }: Heads) =>
    new EventStoreDamaged(
      `${log} ends at position ${shortOf(head)}, but vault or views know of position ${shortOf(knownHead)}: its newest events are lost. Put its newest copy back; if there is none, stop every process and run: npm run shop -- admin accept-loss`,
    ),
}

/** Checks the target of a log copy; creates the folder of an embedded log. */
export async function assertTargetOfCopy(config: Config): Promise<void> {
  await assertLogAddress(config)
  if (isLogFile(config)) assertWritable(config.DATA_DIR)
  await assertLogFits(config, CLOCK_OFF_MS_MAX)
}

function assertWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(
      `DATA_DIR ${folder} cannot be written (${code}); give this user the folder, or set DATA_DIR to another one`,
    )
  }
}
