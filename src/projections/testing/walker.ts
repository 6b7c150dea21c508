import type { EventLog } from '../../event-store/event-log.ts'
import type { ViewStore } from '../../view-store/view-store.ts'
import type { Projection } from '../projection.ts'
import { projectionRunner } from '../runner.ts'

let now = 0

export type Step = 'on its way' | 'folded' | 'nothing new'

/** A runner that stands still before every call to the log and the view store. */
export interface Walker {
  /** Lets it make the call that it stands before, or has that call fail; resolves when it stands before the next one, or a page is done. */
  step(failure?: Error): Promise<Step>
}

export function walker(options: {
  log: EventLog
  store: ViewStore
  projections: readonly Projection[]
  pageSize: number
  pagesTogether: number
}): Walker {
  let letOn: ((failure?: Error) => void) | undefined
  let report: ((step: Step) => void) | undefined

  function held<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get(target, name) {
        const call = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>
        // A batch is no call of its own: what is done in it is.
        if (name === 'batch') return call
        return async (...values: unknown[]) => {
          await new Promise<void>((resolve, reject) => {
            letOn = (failure) => (failure ? reject(failure) : resolve())
            report?.('on its way')
          })
          return call.apply(target, values)
        }
      },
    })
  }

  const runner = projectionRunner({
    ...options,
    log: held(options.log),
    store: held(options.store),
    // Every look at the clock finds all pauses over, and nobody ever finds the same moment.
    clock: { now: () => (now += 3_000_000), sleep: async () => undefined },
  })

  return {
    step: async (failure) =>
      new Promise((resolve) => {
        report = resolve
        const goOn = letOn
        letOn = undefined
        if (goOn) goOn(failure)
        else void runner.runOnce().then((folded) => report?.(folded ? 'folded' : 'nothing new'))
      }),
  }
}
