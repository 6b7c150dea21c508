/** What is unavailable. The API has a response for each code. */
export type TryAgainCode =
  | 'append-ambiguous'
  | 'append-conflict'
  | 'event-store-away'
  | 'job-queue-away'
  | 'passwords-busy'
  | 'provider-away'
  | 'shop-busy'
  | 'vault-away'
  | 'view-behind'
  | 'view-store-away'

/** An engine is away or overloaded: nothing is wrong with the request, and the same one may succeed later. */
export abstract class TryAgain extends Error {
  abstract readonly code: TryAgainCode
}
