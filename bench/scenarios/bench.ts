import type { Notebook } from '../notebook.ts'
import type { Options } from '../options.ts'
import type { HelloWorld } from '../shop/hello-world-process.ts'

/** What every scenario works with. */
export interface Bench {
  readonly options: Options
  readonly notebook: Notebook
  readonly hello: HelloWorld
  /** Tells what is being done. */
  readonly say: (text: string) => void
}

/** The connections of a load, where there is only one number of them. */
export const CONNECTIONS = 64
export const helloId = (connections: number): string => `hello-${connections}`
export const placeId = (connections: number): string => `place-${connections}`
