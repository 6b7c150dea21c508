import { registerHooks } from 'node:module'

/** Preloaded into the processes of a shop (`--import`): gives it a log that forgets orders. */
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isLog = found.url.endsWith('/event-store/sqlite-event-store.ts')
    const isReplaced = isLog && context.parentURL?.endsWith('forgetful-store.ts') === false
    return isReplaced ? { ...found, url: new URL('forgetful-store.ts', import.meta.url).href } : found
  },
})
