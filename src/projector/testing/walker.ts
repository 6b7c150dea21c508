import type { EventLog } from '../../event-store/event-log.ts'
import type { ViewStore } from '../../view-store/view-store.ts'
import type { Projection } from '../../projections/projection.ts'
import { interposed } from '../../testing/interposed.ts'
import { projectionRunner } from '../runner.ts'

const STEPS_MAX = 20_000
let moment = 0

/** Every reading differs. */
export const now = (): number => (moment += 10_000)

export type Step = 'on its way' | 'folded' | 'nothing new'

/** A projector, or a part of it, that pauses before every call to the log and the view store. */
export interface Walker {
  /** Makes or fails the pending call; resolves at the next call or at the end of a page. */
  step(failure?: Error): Promise<Step>
}

export async function walkToEnd(walker: Walker): Promise<void> {
  let quiet = 0
  for (let step = 0; quiet < 2; step += 1) {
    if (step >= STEPS_MAX) throw new Error('the projector does not finish')
    const outcome = await walker.step()
    if (outcome !== 'on its way') quiet = outcome === 'folded' ? 0 : quiet + 1
  }
}

/** So many calls, or as many as a turn has. */
export function calls(count: number): (walker: Walker) => Promise<void> {
  return async (walker) => {
    for (let made = 0; made <= count; made += 1) if ((await walker.step()) !== 'on its way') return
  }
}

type Held = <Port extends object>(port: Port) => Port

/** Does one turn after another, and stands still before every call to what it holds; a turn says whether there was anything to do. */
export function stepped(begin: (held: Held) => () => Promise<boolean>): Walker {
  let letOn: ((failure?: Error) => void) | undefined
  let report: ((step: Step) => void) | undefined

  const held: Held = (port) =>
    interposed(port, async (make) => {
      await new Promise<void>((resolve, reject) => {
        letOn = (failure) => (failure ? reject(failure) : resolve())
        report?.('on its way')
      })
      return make()
    })
  const turn = begin(held)

  return {
    step: async (failure) =>
      new Promise((resolve) => {
        report = resolve
        const goOn = letOn
        letOn = undefined
        if (goOn) goOn(failure)
        else void turn().then((folded) => report?.(folded ? 'folded' : 'nothing new'))
      }),
  }
}

export function walker(options: {
  log: EventLog
  store: ViewStore
  projections: readonly Projection[]
  pageSize: number
  documentsTogether: number
}): Walker {
  return stepped((held) => {
    const runner = projectionRunner({
      ...options,
      log: held(options.log),
      store: held(options.store),
      // At every reading of the clock all pauses are over.
      clock: { now, sleep: async () => undefined },
    })
    return () => runner.runOnce()
  })
}
