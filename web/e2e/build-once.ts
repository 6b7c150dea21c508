import type { TestProject } from 'vitest/node'
import { builtWeb } from './built-web.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    webFolder: string
  }
}

/** One build of the screens for all walks of a run, even of several tiers. */
let building: ReturnType<typeof builtWeb> | undefined

export default async function buildOnce({ provide }: TestProject): Promise<() => Promise<void>> {
  building ??= builtWeb()
  const { folder, remove } = await building
  provide('webFolder', folder)
  return remove
}
