import { type Db, type Document, MongoClient } from 'mongodb'
import { wrongAddress } from '../../engines/mongodb/address.ts'
import { ASK_MS, clockOf, type Finding } from './finding.ts'

/** Checks a server with MongoDB's protocol. What this user may not see is 'unknown'. */
export async function lookAtMongodb(
  variable: 'MONGODB_URL' | 'VAULT_URL',
  url: string,
): Promise<Omit<Finding, 'part'>> {
  const why = wrongAddress(url)
  if (why !== undefined) return { facts: `${variable} ${why}`, must: 'correct its address' }
  const client = new MongoClient(url, {
    appName: 'coinshop-doctor',
    serverSelectionTimeoutMS: ASK_MS / 2,
    connectTimeoutMS: ASK_MS / 2,
    socketTimeoutMS: ASK_MS / 2,
  })
  try {
    await client.connect()
    const admin = client.db('admin')
    const before = Date.now()
    const hello = (await reply(admin, 'hello')) ?? (await admin.command({ ismaster: 1 }))
    const clock = hello['localTime'] instanceof Date ? clockOf(hello['localTime'].getTime(), before) : undefined
    const version = text((await reply(admin, 'buildInfo'))?.['version'])
    const status = await reply(admin, 'serverStatus')
    const storage = status?.['storageEngine'] as Document | undefined
    const set = hello['setName'] as string | undefined
    const hosts = client.options.hosts.map((host) => host.toString()).join(',')
    return {
      facts: [
        `MongoDB ${version} at ${hosts}`,
        set === undefined ? 'standalone' : `replica set ${set} of ${countOf(hello['hosts'])}`,
        'write concern majority',
        `storage ${text(storage?.['name'])}`,
        clock?.facts ?? 'clock unknown',
      ].join(', '),
      must: mustOf(hello, storage) ?? clock?.must,
      note:
        set === undefined && variable === 'VAULT_URL'
          ? 'what must survive lies on one machine only: make it a replica set of three, or back it up often'
          : undefined,
    }
  } finally {
    await client.close(true)
  }
}

function mustOf(hello: Document, storage: Document | undefined): string | undefined {
  if (storage?.['persistent'] === false) return 'this server keeps nothing on disk: take one that does'
  if ((hello['isWritablePrimary'] ?? hello['ismaster']) === false)
    return 'no server takes writes now: look at the replica set (rs.status())'
  return undefined
}

async function reply(admin: Db, command: string): Promise<Document | undefined> {
  try {
    return await admin.command({ [command]: 1 })
  } catch (error) {
    // A server that does not support it, or denies it, still answers; one that is away does not.
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') return undefined
    throw error
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown'
}

function countOf(hosts: unknown): string {
  return Array.isArray(hosts) ? `${hosts.length}` : 'an unknown number'
}
