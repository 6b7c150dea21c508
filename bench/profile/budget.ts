import type { CpuProfile, ProfileNode } from './inspector.ts'
import { type Step, stepOf, steps } from './steps.ts'

export interface BudgetLine {
  readonly step: string
  readonly microseconds: number
}

/** Where the time of one order goes. The lines of the main thread add up to the whole. */
export interface Budget {
  readonly name: string
  readonly orders: number
  /** From one order to the next. */
  readonly wholeMicroseconds: number
  readonly lines: readonly BudgetLine[]
  /** What other threads of the process were busy with meanwhile, beside it. */
  readonly beside: readonly BudgetLine[]
}

const WAITING = 'waiting: for requests, for the disk in another thread, for the processor'

/** Shares the wall time of a load among the steps of an order, by what its threads were seen doing. */
export function budgetOf(
  [main, ...others]: readonly CpuProfile[],
  load: { name: string; orders: number; seconds: number },
): Budget {
  const { name, orders, seconds } = load
  const wholeMicroseconds = (seconds * 1e6) / orders
  const busy = main ? sharesOf(main) : new Map<Step, number>()
  const lines = linesOf(busy, wholeMicroseconds)
  const used = lines.reduce((sum, { microseconds }) => sum + microseconds, 0)
  const waiting = { step: WAITING, microseconds: Math.max(wholeMicroseconds - used, 0) }
  const beside = others.flatMap((profile) => linesOf(sharesOf(profile), wholeMicroseconds))
  return { name, orders, wholeMicroseconds, lines: [...lines, waiting], beside: summed(beside) }
}

function linesOf(shares: ReadonlyMap<Step, number>, wholeMicroseconds: number): BudgetLine[] {
  return steps.flatMap((step) => {
    const share = shares.get(step) ?? 0
    return share === 0 ? [] : [{ step, microseconds: share * wholeMicroseconds }]
  })
}

function summed(lines: readonly BudgetLine[]): BudgetLine[] {
  const byStep = Map.groupBy(lines, ({ step }) => step)
  return [...byStep].map(([step, own]) => ({
    step,
    microseconds: own.reduce((sum, line) => sum + line.microseconds, 0),
  }))
}

/** For each step the share of all the time that the profile spans. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Map<Step, number> {
  const stepById = stepsOf(nodes)
  const spent = new Map<Step, number>()
  let whole = 0
  for (const [index, id] of samples.entries()) {
    const microseconds = Math.max(timeDeltas[index] ?? 0, 0)
    whole += microseconds
    const step = stepById.get(id)
    if (step !== undefined) spent.set(step, (spent.get(step) ?? 0) + microseconds)
  }
  return new Map([...spent].map(([step, microseconds]) => [step, microseconds / whole]))
}

function stepsOf(nodes: readonly ProfileNode[]): Map<number, Step | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const stackOf = (id: number): ProfileNode['callFrame'][] => {
    const stack = []
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame && (frame.functionName !== '(root)' || stack.length === 0)) stack.push(frame)
    }
    return stack
  }
  return new Map(nodes.map(({ id }) => [id, stepOf(stackOf(id))]))
}
