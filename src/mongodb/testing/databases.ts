import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'

/** A database of one test's own. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** On the server of this address, whatever database that names; made when it is first written to. */
export function testDatabase(address: string): TestDatabase {
  // Always of the same length: the server that CI runs would take one whose name begins with the other's with it.
  const url = withDatabase(address, `coinshop_test_${randomBytes(8).toString('hex')}`)
  return { url, drop: () => dropDatabase(url) }
}

export function withDatabase(address: string, name: string): string {
  return address.replace(/^([^:]+:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`)
}

async function dropDatabase(url: string): Promise<void> {
  const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 10_000 })
  try {
    await client.db().dropDatabase()
  } finally {
    await client.close()
  }
}
