import { oneLine } from '../../ports/one-line.ts'

/** Enough rights for everything that the shop does in Redis. */
const RIGHTS = 'ACL SETUSER NAME on >PASSWORD ~coinshop-* +@all -@admin -@dangerous +info'
const CLUSTER_NODE =
  'it is a node of a Redis Cluster, which the shop does not support: set REDIS_URL to one primary server'
export const unsupported = {
  cluster: CLUSTER_NODE,
  sentinel: 'it is a Sentinel, which the shop does not support: set REDIS_URL to the primary that it watches',
} as const
const REPLICA = 'it is a replica, which takes no writes: set REDIS_URL to its primary'

/** By the code that begins an error reply. */
const replies: Readonly<Record<string, string>> = {
  OOM: 'its memory is full: raise maxmemory',
  MISCONF: 'it cannot write its snapshot and so refuses writes: make room on its disk',
  READONLY: REPLICA,
  MASTERDOWN: REPLICA,
  LOADING: 'it loads its data after a start: wait',
  NOAUTH: 'it asks for a password: put user and password into REDIS_URL',
  WRONGPASS: 'it refuses user or password: correct REDIS_URL',
  MOVED: CLUSTER_NODE,
  ASK: CLUSTER_NODE,
  CROSSSLOT: CLUSTER_NODE,
  CLUSTERDOWN: CLUSTER_NODE,
}
const FAILED_CALL = /^(E[A-Z_]+|CONNECTION_|UND_)/
const SILENT = /command timed out|socket timeout|connect ETIMEDOUT/i
const CLOSED = /connection is closed|max retries|isn't writeable|aborted due to connection close/i

/** What is wrong with Redis and what to do, from the error of a call, or of the error that caused it. */
export function redisTrouble(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return redisTrouble(error.cause)
  const text = oneLine(error)
  const code = codeOf(error)
  const right = /no permissions to (?:run|access|execute) .*?'?([^']*)'?(?: command)?$/i.exec(text)
  if (text.startsWith('NOPERM') || right) return missingRight(right?.[1] ?? text)
  const [, reply = ''] = /^(?:ERR Error running script.*?: -?)?([A-Z]+) /.exec(text) ?? []
  const known = replies[reply] ?? replies[/\b(OOM|MISCONF|READONLY) /.exec(text)?.[1] ?? '']
  if (known !== undefined) return known
  const [, command] = /unknown command '?`?([\w|]+)/i.exec(text) ?? []
  if (command !== undefined)
    return `it has no command ${command}: give the command its name back, or use another server`
  if (/CERT|SELF_SIGNED|VERIFY_LEAF|ERR_SSL|ERR_TLS/.test(code))
    return `its certificate is not accepted (${code}): set NODE_EXTRA_CA_CERTS to the file of its CA`
  if (SILENT.test(text)) return 'it is silent: restart it, or repair the network to it'
  if (isAboutConnection(error))
    return `nothing answers (${code || 'the connection is closed'}): start it, or correct its address`
  return text
}

function missingRight(name: string): string {
  return `its user has no right to ${name}: ${RIGHTS}`
}

/** Whether a connection failed, rather than a call on it. */
export function isAboutConnection(error: unknown): boolean {
  return FAILED_CALL.test(codeOf(error)) || SILENT.test(oneLine(error)) || CLOSED.test(oneLine(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
