import type { EventLog } from '../../log/event-log.ts'
import type { Projection } from '../../projections/projection.ts'
import { interposed } from '../../engines/testing/interposed.ts'
import type { ViewStore } from '../../engines/view-store/view-store.ts'
import { projectionRunner } from '../runner.ts'

const STEPS_MAX = 50_000
/** Turns without anything to fold, until whatever waits for a while has been waited for. */
const QUIET_TURNS = 20
let moment = 0

/** Every reading differs. */
export const now = (): number => (moment += 10_000)

type Step = 'on its way' | 'folded' | 'nothing new'
export type Held = <Port extends object>(port: Port) => Port

export async function walkToEnd(walker: Walker): Promise<void> {
  let quiet = 0
  for (let step = 0; quiet < QUIET_TURNS; step += 1) {
    if (step >= STEPS_MAX) throw new Error('the projector does not finish')
    const outcome = await walker.step()
    if (outcome !== 'on its way') quiet = outcome === 'folded' ? 0 : quiet + 1
  }
}

/** A projector that pauses before every call to what it is given as held. */
export function walker(options: {
  log: EventLog
  shape: string
  projections: readonly Projection[]
  pageSize: number
  /** Of this projector alone. */
  store: (held: Held) => ViewStore
}) {
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
  const { shape, projections, pageSize } = options
  const runner = projectionRunner({
    log: held(options.log),
    store: options.store(held),
    logId: 'log',
    shape,
    projections,
    pageSize,
    // At every reading of the clock all pauses are over.
    clock: { now, sleep: async () => undefined },
  })

  return {
    /** It stands before a call. */
    isOnItsWay: () => letOn !== undefined,
    /** Makes or fails the pending call; resolves at the next call or at the end of a turn. */
    step: async (failure?: Error) =>
      new Promise<Step>((resolve) => {
        report = resolve
        const goOn = letOn
        letOn = undefined
        if (goOn) goOn(failure)
        else void runner.runOnce().then((folded) => report?.(folded ? 'folded' : 'nothing new'))
      }),
  }
}

export type Walker = ReturnType<typeof walker>
