import { actionGroups, type ActionName } from './actions.ts'
import { faultNames } from './faults.ts'
import { type Outcome, simulate, type SimulationOptions } from './simulation.ts'

/** Schedules to try for each smaller world. */
const SCHEDULES = 12
const usualNames = Object.keys(actionGroups.usual) as ActionName[]
const RUNS_MAX = 3_000

export interface Shrunk {
  readonly options: SimulationOptions
  readonly outcome: Outcome
}

/** Finds a smaller world with any problem: fewer buyers, processes, actions and faults. */
export async function shrink(options: SimulationOptions): Promise<Shrunk> {
  let best: Shrunk = { options, outcome: await simulate(options) }
  let runs = 0

  async function smaller(changes: Partial<SimulationOptions>): Promise<boolean> {
    for (let schedule = 0; schedule < SCHEDULES && runs < RUNS_MAX; schedule += 1) {
      runs += 1
      const tried = { ...best.options, ...changes, schedule }
      const outcome = await simulate(tried)
      if (outcome.problems.length === 0 || outcome.steps > best.outcome.steps) continue
      best = { options: tried, outcome }
      return true
    }
    return false
  }

  await smaller({ processesMax: 1 })
  for (let orders = 1; orders < 4; orders += 1) if (await smaller({ ordersMax: orders })) break
  // Some names are both a fault and an action: `--off` disables both.
  for (const name of new Set<string>([...faultNames, ...usualNames])) {
    const { offFaults = [], offActions = [] } = best.options
    await smaller({
      offFaults: [...offFaults, ...faultNames.filter((fault) => fault === name)],
      offActions: [...offActions, ...usualNames.filter((action) => action === name)],
    })
  }
  for (let turn = 0; turn < 3; turn += 1)
    for (const share of [0.5, 0.8, 0.95]) {
      const actionsMax = Math.floor(best.outcome.actions * share)
      if (actionsMax > 0) await smaller({ actionsMax })
    }
  return { options: best.options, outcome: await simulate({ ...best.options, isTraced: true }) }
}

/** The command that repeats a run. */
export function replayWords({ options }: Pick<Shrunk, 'options'>): string {
  const { theme, offFaults = [], offActions = [] } = options
  const words = {
    seed: options.seed,
    theme: theme && `'${theme}'`,
    schedule: options.schedule || undefined,
    processes: options.processesMax,
    orders: options.ordersMax,
    actions: options.actionsMax,
    off: [...offFaults, ...offActions].join(',') || undefined,
    without: options.without?.name,
  }
  const given = Object.entries(words).filter(([, value]) => value !== undefined)
  return given.map(([word, value]) => `--${word} ${value}`).join(' ')
}
