import { MongoClient } from 'mongodb'

/** Why the shop cannot use this MongoDB address; undefined if it can. The text holds no password. */
export function wrongAddress(url: string): string | undefined {
  try {
    // Does not connect yet.
    const { writeConcern } = new MongoClient(url).options
    if (writeConcern?.journal === false)
      return 'turns the journal off, without which a crash of the server loses what was written: remove journal=false'
    return undefined
  } catch (error) {
    // The driver's message may quote the address with its password.
    const why = error instanceof Error ? `: ${error.message.replaceAll(url, 'this address')}` : ''
    return `cannot be used${why}`
  }
}
