import { controlMissing, someEventstoredb } from '../event-store/testing/eventstoredb-server.ts'
import { startRedis } from '../job-queue/testing/redis-server.ts'
import { documentServer } from '../mongodb/testing/document-server.ts'
import type { Missing } from './missing.ts'

/** A server of an engine, in a process of its own, which keeps its data until it is removed. */
export interface OwnServer {
  readonly url: string
  start(): Promise<void>
  /** SIGTERM */
  stop(): Promise<void>
  /** SIGKILL */
  kill(): Promise<void>
  /** SIGSTOP */
  pause(): void
  /** SIGCONT */
  resume(): void
  remove(): Promise<void>
}

interface ServerKind {
  readonly name: string
  /** Why it cannot be ended and paused. */
  readonly missing?: Missing
  start(): Promise<OwnServer>
}

/** By the variable that names its address to a shop. */
export const ownServers: Readonly<Record<ServerUrl, ServerKind>> = {
  EVENTSTOREDB_URL: { name: "the log's server", missing: controlMissing, start: someEventstoredb },
  MONGODB_URL: { name: "the views' server", start: documentServer },
  VAULT_URL: { name: "the vault's server", start: documentServer },
  REDIS_URL: {
    name: 'redis',
    async start() {
      const redis = await startRedis()
      return { ...redis, remove: () => redis.end() }
    },
  },
}

export type ServerUrl = 'EVENTSTOREDB_URL' | 'MONGODB_URL' | 'VAULT_URL' | 'REDIS_URL'
