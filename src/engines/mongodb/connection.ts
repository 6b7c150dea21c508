import {
  type Db,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoInvalidArgumentError,
  MongoServerError,
} from 'mongodb'
import { inFlight } from '../../ports/in-flight.ts'
import { oneLine } from '../../ports/one-line.ts'

/** One database of a server that speaks MongoDB's protocol. Connects on the first call. */
export interface MongodbConnection {
  /** Throws `away`'s error if the server cannot be reached or cannot write, and after `close`. */
  run<T>(question: (database: Db) => Promise<T>): Promise<T>
  /** Whether the server is part of a replica set. False until the first answer. */
  hasReplicas(): boolean
  /** Completes calls in progress, rejects later ones. */
  close(): Promise<void>
}

interface MongodbOptions {
  readonly url: string
  /** Default for a URL that names none. */
  readonly database: string
  /** For errors: 'The view database'. */
  readonly name: string
  /** Timeout for each of: finding a primary, connecting, getting a pooled connection. */
  readonly waitMs: number
  /** Timeout for an answer. */
  readonly answerMs: number
  /** Runs before the first call, and again until it succeeds. */
  readonly prepare: (database: Db) => Promise<void>
  readonly away: (message: string, cause: unknown) => Error
}

/** A database with this collection holds a vault. */
export const VAULT_COLLECTION = 'vault'

const POOL_MAX = 20
const CALLS_MAX = 10_000

const REPLICATED = new Set(['RSPrimary', 'RSSecondary', 'Mongos'])

const DUPLICATE_KEY = 11_000

/** Errors of our own code. Any other means that the server is starting, stopping, electing, full, too slow, or denies access. */
const OURS = new Set<unknown>([
  2, // BadValue
  59, // CommandNotFound
  121, // DocumentValidationFailure
])

export function mongodbConnection(options: MongodbOptions): MongodbConnection {
  const { url, database, name, waitMs, answerMs, prepare, away } = options
  const client = new MongoClient(url, clientOptions(waitMs, answerMs))
  const calls = inFlight((why) => away(`${name} ${why}`, undefined), CALLS_MAX)
  let hasReplicas = false
  let preparing: Promise<void> | undefined
  let closing: Promise<void> | undefined
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    hasReplicas = [...newDescription.servers.values()].some(({ type }) => REPLICATED.has(type))
  })
  const db = client.db(hasDatabase(url) ? client.options.dbName : database)

  async function ensurePrepared(): Promise<void> {
    preparing ??= prepare(db).catch((error: unknown) => {
      preparing = undefined
      throw error
    })
    await preparing
  }

  async function runPrepared<T>(question: (database: Db) => Promise<T>): Promise<T> {
    try {
      await ensurePrepared()
      return await question(db)
    } catch (error) {
      throw isAway(error) ? away(`${name} cannot be used now: ${oneLine(error)}`, error) : error
    }
  }

  return {
    run: async (question) => calls.run(async () => runPrepared(question)),
    hasReplicas: () => hasReplicas,
    close: () => (closing ??= calls.close().then(() => client.close())),
  }
}

/** Options that override the address's settings. */
export function clientOptions(waitMs: number, answerMs: number): MongoClientOptions {
  return {
    appName: 'coinshop',
    serverSelectionTimeoutMS: waitMs,
    connectTimeoutMS: waitMs,
    waitQueueTimeoutMS: waitMs,
    socketTimeoutMS: answerMs,
    maxPoolSize: POOL_MAX,
    // Works on replica sets only; all our writes may be repeated.
    retryWrites: true,
    // Otherwise a server without replicas would acknowledge a write before it is on disk, and lose it in a crash.
    w: 'majority',
    journal: true,
    readPreference: 'primary',
  }
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY
}

/** Indexes of a bulk's operations that failed by a duplicate key; undefined if anything else failed. */
export function duplicatesOf(error: unknown): number[] | undefined {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined
  const errors = [error.writeErrors].flat()
  const areDuplicates = errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)
  return areDuplicates ? errors.map(({ index }) => index) : undefined
}

function isAway(error: unknown): boolean {
  // A failed DNS lookup throws a system error, not the driver's.
  if (!(error instanceof MongoError)) return error instanceof Error && 'syscall' in error
  if (error instanceof MongoInvalidArgumentError || duplicatesOf(error)) return false
  if (!(error instanceof MongoBulkWriteError)) return !isDuplicateKey(error) && !OURS.has(error.code)
  return ![error, ...[error.writeErrors].flat()].some(({ code }) => OURS.has(code))
}

/** The driver's default would be 'test'. */
function hasDatabase(url: string): boolean {
  return /^[^:]+:\/\/[^/]+\/[^?]/.test(url)
}
