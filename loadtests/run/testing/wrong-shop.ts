import { registerHooks } from 'node:module'

/** Replacements for modules of the shop; WRONG names the one to use. */
const wrong: Readonly<Record<string, readonly [module: string, instead: string]>> = {
  log: ['/event-store/sqlite-event-store.ts', 'forgetful-store.ts'],
  stock: ['/domain/inventory/inventory.ts', 'endless-stock.ts'],
}
const [module, instead] = wrong[process.env['WRONG'] ?? ''] ?? []

/** Preloaded into the processes of a shop (`--import`). */
if (module !== undefined && instead !== undefined)
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isAsked = found.url.endsWith(module) && context.parentURL?.endsWith(instead) === false
      return isAsked ? { ...found, url: new URL(instead, import.meta.url).href } : found
    },
  })
