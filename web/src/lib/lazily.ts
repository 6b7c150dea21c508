import { type ComponentType, lazy } from 'react'

/** Retries a chunk that fails to load once; after that the error boundary shows. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>) {
  const loadAgain = async () => ({ default: await load().catch(load) })
  return Object.assign(lazy(loadAgain), { preload: loadAgain })
}
