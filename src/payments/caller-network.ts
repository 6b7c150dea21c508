import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The widest network of the caller that a request's calls to providers are for; undefined for the shop's own. The calls share their turns by it, whatever
 * lies between the request and the call.
 */
export const callerNetwork = new AsyncLocalStorage<string>()
