import { describe } from 'vitest'
import { type Missing, SKIPPED } from '../ports/testing/missing.ts'

/** Like `describe`, but skips the suite if something is missing, and names it in the title. */
export function describeUnless(missing: Missing, title: string, suite: () => void): void {
  describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} ${SKIPPED}${missing})`, () => {
    suite()
  })
}

/** One suite per engine. */
export function describeEach<Engine extends { readonly name: string; readonly missing?: Missing }>(
  engines: readonly Engine[],
  title: string,
  suite: (engine: Engine) => void,
): void {
  for (const engine of engines) describeUnless(engine.missing, `${title}: ${engine.name}`, () => suite(engine))
}
