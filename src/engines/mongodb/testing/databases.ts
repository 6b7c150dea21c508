import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { onTestFinished } from 'vitest'

/** A database of one test's own. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** The address of a database that is dropped when the test that is running has ended. */
export function databaseOfTest(address: string | undefined): string {
  const database = testDatabase(address ?? '')
  onTestFinished(() => database.drop())
  return database.url
}

/** On the server of this address, whatever database that names; created by the first write. */
export function testDatabase(address: string): TestDatabase {
  // All names have one length: CI's server drops databases by prefix.
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
