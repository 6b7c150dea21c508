import { isIP } from 'node:net'

/** The parts of an address. The path is the shop's own: the driver accepts none. */
export interface ServerAddress {
  /** The address without user and password. */
  readonly shown: string
  readonly isSecure: boolean
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly credentials: { readonly username: string; readonly password: string } | undefined
  readonly caFile: string | undefined
  /** Prefix of this shop's stream names; empty if the server has no other shop. */
  readonly prefix: string
}

const PORT_DEFAULT = 2113
const ADDRESS = /^(esdb(?:\+discover)?):\/\/(?:([^:@/?#]+):([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?(.*))?$/
const PREFIX = /^\w{0,40}$/
const HOST = /^([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?$/i

/** Why this is not a valid EventStoreDB address; undefined if it is. The text holds no password. */
export function wrongAddress(url: string): string | undefined {
  if (/^kurrentdb(\+discover)?:\/\//.test(url))
    return 'begins with kurrentdb://, which this driver does not take: write esdb:// instead, the server is the same'
  const parts = ADDRESS.exec(url)
  if (!parts) return 'must be an address like esdb://user:password@host:2113, or esdb+discover:// with one name'
  const [, scheme, user, password = '', hosts = '', prefix = '', query = ''] = parts
  const named = hosts.split(',')
  if (!named.every((host) => HOST.test(host) && portOf(host) <= 65_535)) return 'has a host that cannot be read'
  if (scheme === 'esdb+discover' && named.length > 1)
    return 'names several hosts after esdb+discover://, where one name stands for all: begin it with esdb://'
  if (!isText(user ?? '') || !isText(password)) return 'has a user or password with a % that encodes nothing'
  if (!PREFIX.test(prefix))
    return 'has a path that names no shop: write at most 40 letters, digits and underscores after the last host'
  const values = new Map(pairsOf(query))
  const tls = values.get('tls') ?? 'true'
  if (tls !== 'true' && tls !== 'false') return 'has tls neither true nor false'
  if (tls === 'true' && named.some((host) => isIP(hostOf(host).replace(/^\[|\]$/g, '')) > 0))
    return 'names a server by its IP address, which TLS does not take: write the name that is in its certificate'
  if (values.get('tlsverifycert') === 'false')
    return 'turns off tlsVerifyCert, which this driver cannot: give the certificate by tlsCAFile'
  if (values.has('usercertfile')) return 'has userCertFile, which the shop does not use: write user:password@'
  if (tls === 'true' && user === undefined)
    return 'has no user: write user:password@ before the host, or tls=false for a server without security'
  return undefined
}

/** Parses an address that `wrongAddress` accepts. */
export function parseAddress(url: string): ServerAddress {
  const [, scheme, user, password = '', hosts = '', prefix = '', query = ''] = ADDRESS.exec(url) ?? []
  if (hosts === '') throw new TypeError('not an address of an EventStoreDB')
  const values = new Map(pairsOf(query))
  return {
    shown: `${scheme}://${hosts}${prefix === '' ? '' : `/${prefix}`}`,
    isSecure: values.get('tls') !== 'false',
    hosts: hosts.split(',').map((host) => ({ host: hostOf(host), port: portOf(host) })),
    credentials:
      user === undefined ? undefined : { username: decodeURIComponent(user), password: decodeURIComponent(password) },
    caFile: values.has('tlscafile') ? decodeURIComponent(values.get('tlscafile') ?? '') : undefined,
    prefix,
  }
}

/** The driver's address, with added settings: of a repeated setting the driver uses the last. */
export function withSettings(url: string, settings: Readonly<Record<string, string | number>>): string {
  const added = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const [place = '', query = ''] = url.split('?')
  const server = place.replace(/^([^/]+\/\/[^/]+)\/.*$/, '$1')
  return `${server}?${[query, ...added].filter((part) => part !== '').join('&')}`
}

/** The driver accepts names in any case, with or without dashes. */
function pairsOf(query: string): [name: string, value: string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [name.toLowerCase().replaceAll(/[_-]/g, ''), value.trim()]
    })
}

function hostOf(host: string): string {
  return HOST.exec(host)?.[1] ?? host
}

function portOf(host: string): number {
  return Number(HOST.exec(host)?.[2] ?? PORT_DEFAULT)
}

function isText(encoded: string): boolean {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}
