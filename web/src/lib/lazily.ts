import { type ComponentType, lazy } from 'react'

/** Loads a component's chunk when needed. A failed load is retried once, then the error boundary shows. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>) {
  const loadWithRetry = async () => ({ default: await load().catch(load) })
  return Object.assign(lazy(loadWithRetry), { preload: loadWithRetry })
}
