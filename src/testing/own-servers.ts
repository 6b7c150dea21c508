import { controlMissing, someEventstoredb } from '../engines/event-store/testing/eventstoredb-server.ts'
import { redisServer } from '../engines/redis/testing/redis-server.ts'
import { documentServer } from '../engines/mongodb/testing/document-server.ts'
import type { Missing } from '../ports/testing/missing.ts'
import type { OwnServer } from '../ports/testing/own-server.ts'

interface ServerKind {
  readonly name: string
  /** Why this machine cannot stop and pause it. */
  readonly missing?: Missing
  start(): Promise<OwnServer>
}

/** Keyed by the variable of the server's address. */
export const ownServers: Readonly<Record<ServerUrl, ServerKind>> = {
  EVENTSTOREDB_URL: { name: "the log's server", missing: controlMissing, start: someEventstoredb },
  MONGODB_URL: { name: "the views' server", start: documentServer },
  VAULT_URL: { name: "the vault's server", start: documentServer },
  REDIS_URL: { name: 'redis', start: redisServer },
}

export type ServerUrl = 'EVENTSTOREDB_URL' | 'MONGODB_URL' | 'VAULT_URL' | 'REDIS_URL'
