import {
  type Db,
  MongoAPIError,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoClientClosedError,
  MongoCompatibilityError,
  MongoError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb'

/** One database of a server that speaks MongoDB's protocol. Connects at the first call. */
export interface MongodbConnection {
  /** Throws `away`'s error when the server cannot be reached or cannot write, and after `close`. */
  run<T>(question: (database: Db) => Promise<T>): Promise<T>
  /** Whether the server is part of a replica set. False until the first answer. */
  hasReplicas(): boolean
  /** Completes the calls in progress and refuses later ones. */
  close(): Promise<void>
}

export interface SentCommand {
  readonly name: string
  readonly collection: string
}

export interface MongodbOptions {
  /** `database` is the default for a URL that names none. */
  readonly url: string
  readonly database: string
  /** For errors: 'The view database'. */
  readonly name: string
  /** Timeout for finding a primary, for connecting, and for a connection of the pool, each. */
  readonly waitMs: number
  /** Timeout for an answer. */
  readonly answerMs: number
  /** Runs before the first call, and is repeated until it has succeeded. */
  readonly prepare: (database: Db) => Promise<void>
  readonly away: (message: string, cause: unknown) => Error
  readonly onCommand: ((command: SentCommand) => void) | undefined
}

/** A database with this collection holds a vault. */
export const OF_VAULT = 'vault'

const POOL_MAX = 20
const CALLS_MAX = 10_000

const REPLICATED = new Set(['RSPrimary', 'RSSecondary', 'Mongos'])

const DUPLICATE_KEY = 11_000

/** Errors of a server that is starting, stopping, electing, full, too slow, or denies access. */
const AWAY_CODES = new Set<number | string | undefined>([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  276, // IndexBuildAborted
  9001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
])
const AWAY_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError']

export function mongodbConnection(options: MongodbOptions): MongodbConnection {
  const { url, database, name, waitMs, answerMs, prepare, away, onCommand } = options
  const client = new MongoClient(url, {
    ...clientOptions(waitMs, answerMs),
    monitorCommands: onCommand !== undefined,
  })
  const underway = new Set<Promise<unknown>>()
  let hasReplicas = false
  let preparing: Promise<void> | undefined
  let closing: Promise<void> | undefined
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    hasReplicas = [...newDescription.servers.values()].some(({ type }) => REPLICATED.has(type))
  })
  client.on('commandStarted', ({ commandName: name, command }) => {
    onCommand?.({ name, collection: String(command[name]) })
  })
  const db = client.db(hasDatabase(url) ? client.options.dbName : database)

  async function prepared(): Promise<void> {
    preparing ??= prepare(db).catch((error: unknown) => {
      preparing = undefined
      throw error
    })
    await preparing
  }

  async function asked<T>(question: (database: Db) => Promise<T>): Promise<T> {
    try {
      await prepared()
      return await question(db)
    } catch (error) {
      throw isAway(error) ? away(`${name} cannot be used now: ${oneLine(error)}`, error) : error
    }
  }

  return {
    async run(question) {
      if (closing) throw away(`${name} is closed`, undefined)
      if (underway.size >= CALLS_MAX) throw away(`Too many calls wait for ${name.toLowerCase()}`, undefined)
      const running = asked(question)
      underway.add(running)
      try {
        return await running
      } finally {
        underway.delete(running)
      }
    },

    hasReplicas: () => hasReplicas,

    close() {
      closing ??= Promise.allSettled(underway).then(() => client.close())
      return closing
    },
  }
}

/** What no setting of an address may change. */
export function clientOptions(waitMs: number, answerMs: number): MongoClientOptions {
  return {
    appName: 'coinshop',
    serverSelectionTimeoutMS: waitMs,
    connectTimeoutMS: waitMs,
    waitQueueTimeoutMS: waitMs,
    socketTimeoutMS: answerMs,
    maxPoolSize: POOL_MAX,
    // Works on replica sets only; every write here may be repeated anyway.
    retryWrites: true,
    // A server without replicas would otherwise answer before the write is on disk, and lose it in a crash.
    w: 'majority',
    journal: true,
    readPreference: 'primary',
  }
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY
}

/** The operations of a bulk that failed by a duplicate key; undefined when anything else failed. */
export function duplicatesOf(error: unknown): number[] | undefined {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined
  const errors = [error.writeErrors].flat()
  const areDuplicates = errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)
  return areDuplicates ? errors.map(({ index }) => index) : undefined
}

function isAway(error: unknown): boolean {
  if (error instanceof MongoWriteConcernError) return true
  if (error instanceof MongoBulkWriteError) return isBulkAway(error)
  if (error instanceof MongoServerError) return isServerAway(error)
  if (error instanceof MongoAPIError) {
    const kinds = [
      MongoClientClosedError,
      MongoCompatibilityError,
      MongoNotConnectedError,
      MongoServerClosedError,
      MongoTopologyClosedError,
    ]
    return kinds.some((kind) => error instanceof kind)
  }
  // A failed DNS lookup is an error of the operating system, not of the driver.
  return error instanceof MongoError || (error instanceof Error && 'syscall' in error)
}

function isBulkAway(error: MongoBulkWriteError): boolean {
  const errors = [error.writeErrors].flat()
  const others = errors.filter(({ code }) => code !== DUPLICATE_KEY)
  const isUncertain = error.result.getWriteConcernError() !== undefined
  if (errors.length > 0) return (isUncertain || others.length > 0) && others.every(({ code }) => AWAY_CODES.has(code))
  // The driver wraps an error of the bulk as a whole; only server errors have codes.
  return isUncertain || error.code === undefined || isServerAway(error)
}

function isServerAway(error: MongoServerError): boolean {
  return AWAY_CODES.has(error.code) || AWAY_LABELS.some((label) => error.hasErrorLabel(label))
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Where the URL names no database, the driver uses 'test'. */
function hasDatabase(url: string): boolean {
  return /^[^:]+:\/\/[^/]+\/[^?]/.test(url)
}
