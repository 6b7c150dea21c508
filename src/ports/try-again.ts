/** What a port or a command can be short of. The API has an answer for each of them. */
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

/** An engine is away or too many ask at once: nothing is wrong with the request, and the same one may succeed later. */
export abstract class TryAgain extends Error {
  abstract readonly code: TryAgainCode
}
