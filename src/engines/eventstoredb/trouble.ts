import { AccessDeniedError, NotLeaderError } from '@eventstore/db-client'
import { connect } from 'node:tls'
import { oneLine } from '../../ports/one-line.ts'
import type { ServerAddress } from './address.ts'

/** Why a server is of no use now, and what to do about it. */
export interface Trouble {
  readonly what: string
  /** Undefined: `what` is a sentence of its own, with its way out. */
  readonly wayOut: string | undefined
}

const LOOK_MS = 2_000
const UNAUTHENTICATED = 16

/** A sentence of people's for a driver's error. Looks at the port where that does not tell whether it speaks TLS. */
export async function troubleOf(
  error: unknown,
  address: ServerAddress,
  lookAt: (host: ServerAddress['hosts'][number]) => Promise<boolean> = speaksTls,
): Promise<Trouble> {
  const user = `the user '${address.credentials?.username ?? ''}'`
  if (isRefusal(error)) {
    if (Number(error.code) !== UNAUTHENTICATED)
      return {
        what: `refuses ${user} a right`,
        wayOut: 'let it read $all and write the shop’s streams: docs/servers.md has the command',
      }
    if (address.credentials === undefined)
      return { what: 'wants a user', wayOut: 'write user:password@ before the host in EVENTSTOREDB_URL' }
    return { what: `refuses ${user} or its password`, wayOut: 'correct them in EVENTSTOREDB_URL' }
  }
  if (error instanceof NotLeaderError)
    return { what: 'is not the leader of its cluster', wayOut: 'name every node of the cluster in EVENTSTOREDB_URL' }
  const line = withoutNotes(oneLine(error))
  const named = /Host: (\S+)\. is not .*?altnames: (.*)$/.exec(line)
  if (named)
    return {
      what: `has a certificate for ${named[2]}, not for ${named[1]}`,
      wayOut: 'write a name of the certificate as the host in EVENTSTOREDB_URL, or have the host’s name put into it',
    }
  if (/certificate has expired/i.test(line))
    return { what: 'has a certificate that has expired', wayOut: 'have it renewed' }
  if (/unable to (?:verify|get)|self.signed certificate/i.test(line))
    return address.caFile === undefined
      ? {
          what: 'has a certificate of no public authority',
          wayOut: 'name the certificate of its CA by tlsCAFile=PATH in EVENTSTOREDB_URL',
        }
      : {
          what: `has a certificate that ${address.caFile} has not signed`,
          wayOut: 'name the certificate of its CA by tlsCAFile in EVENTSTOREDB_URL',
        }
  if (address.isSecure && /wrong version number|packet length too long|EPROTO/.test(line))
    return {
      what: 'does not speak TLS',
      wayOut: 'correct the port, or add tls=false in EVENTSTOREDB_URL if only the shop reaches the server',
    }
  const [host] = address.hosts
  if (!address.isSecure && host && /Failed to connect|Protocol error/.test(line))
    return (await lookAt(host))
      ? {
          what: 'speaks TLS',
          wayOut: 'remove tls=false from EVENTSTOREDB_URL, and write user:password@ before the host',
        }
      : { what: 'speaks another protocol at this port', wayOut: 'correct the port in EVENTSTOREDB_URL' }
  return { what: `EventStoreDB at ${address.shown} cannot be used now: ${line}`, wayOut: undefined }
}

/** An answer of the server: this user may not. */
export function isRefusal(error: unknown): error is AccessDeniedError {
  return error instanceof AccessDeniedError
}

/** The driver adds its state, the time, and an advice that is empty. */
function withoutNotes(line: string): string {
  return line
    .replace(/^.*Last error: (?:Error: )?/, '')
    .replace(/\.? ?Resolution note:.*$/, '')
    .replace(/ \(\d{4}-\d\d-\d\dT[^)]*\)/, '')
}

async function speaksTls({ host, port }: ServerAddress['hosts'][number]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, rejectUnauthorized: false, timeout: LOOK_MS })
  socket
    .once('secureConnect', () => resolve(true))
    .once('error', () => resolve(false))
    .once('timeout', () => resolve(false))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
