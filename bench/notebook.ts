import { spreadOf, type Spread } from './statistics.ts'

export const quantities = ['perSecond', 'ratio', 'p50', 'p95', 'p99', 'ms', 'megabytes'] as const
/** `perSecond` is how much was done in a second, `ratio` that against hello-world, `p50`, `p95`, `p99` and `ms` are milliseconds. */
export type Quantity = (typeof quantities)[number]
/** What one round has measured of one thing. */
export type Sample = { readonly [Name in Quantity]?: number }

/** One thing that is measured, in every round again. */
export interface Measure {
  /** Short and fixed: goals and charts ask for it. */
  readonly id: string
  readonly name: string
  /** What `perSecond` counts. */
  readonly unit: string
  readonly samples: readonly Sample[]
}

export interface Subject {
  readonly id: string
  readonly name: string
  readonly unit: string
  /** Id of the measure of the same round that this one is told as a ratio to. */
  readonly base?: string
}

/** Everything that was measured, in the order in which it was first. */
export class Notebook {
  private readonly notes = new Map<string, Omit<Measure, 'samples'> & { readonly samples: Sample[] }>()

  get measures(): readonly Measure[] {
    return [...this.notes.values()]
  }

  note({ id, name, unit, base }: Subject, sample: Sample): void {
    const noted = this.notes.get(id) ?? { id, name, unit, samples: [] }
    this.notes.set(id, noted)
    const against = base === undefined ? undefined : this.notes.get(base)?.samples.at(-1)?.perSecond
    const isRatio = against !== undefined && sample.perSecond !== undefined
    noted.samples.push(isRatio ? { ...sample, ratio: sample.perSecond / against } : sample)
  }

  /** The newest sample of a measure. */
  last(id: string): Sample | undefined {
    return this.notes.get(id)?.samples.at(-1)
  }
}

/** What the rounds say of one quantity of a measure. */
export function figure(measures: readonly Measure[], id: string, quantity: Quantity): Spread | undefined {
  const samples = measures.find((measure) => measure.id === id)?.samples ?? []
  return spreadOf(samples.flatMap((sample) => sample[quantity] ?? []))
}
