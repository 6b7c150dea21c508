import { describe } from 'vitest'
import { type Missing, SKIPPED } from '../ports/testing/missing.ts'

/** A suite; where something is missing it is skipped, and its title gives the reason. */
export function describeUnless(missing: Missing, title: string, suite: () => void): void {
  describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} ${SKIPPED}${missing})`, () => {
    suite()
  })
}

/** One suite for each engine. */
export function describeEach<Engine extends { readonly name: string; readonly missing?: Missing }>(
  engines: readonly Engine[],
  title: string,
  suite: (engine: Engine) => void,
): void {
  for (const engine of engines) describeUnless(engine.missing, `${title}: ${engine.name}`, () => suite(engine))
}
