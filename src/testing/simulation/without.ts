import type { World } from './engines.ts'
import type { Shopping } from './shopping.ts'

/** A rule switched off. */
export interface Switch {
  readonly name: string
  /** The disaster that the rule is there for. */
  readonly story: string
  apply(shop: { world: World; shopping: Shopping }): () => void
}
