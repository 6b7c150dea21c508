import { MongoClient } from 'mongodb'

/** Why the shop cannot use this address of a MongoDB; undefined where it can. The text holds no password. */
export function wrongAddress(url: string): string | undefined {
  try {
    // It connects to nothing yet.
    const { writeConcern } = new MongoClient(url).options
    if (writeConcern?.journal === false)
      return 'turns the journal off, without which a crash of the server loses what was written: remove journal=false'
    return undefined
  } catch (error) {
    // The driver quotes addresses, and with them passwords.
    const why = error instanceof Error ? `: ${error.message.replaceAll(url, 'this address')}` : ''
    return `cannot be used${why}`
  }
}
