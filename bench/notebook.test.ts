import { describe, expect, it } from 'vitest'
import { figure, Notebook } from './notebook.ts'

const hello = { id: 'hello-64', name: 'hello-world', unit: 'requests' }
const order = { id: 'place-64', name: 'placing', unit: 'orders', base: 'hello-64' }

describe('the notebook', () => {
  it('tells each round as a ratio to the bare server of the same round', () => {
    const notebook = new Notebook()
    for (const [bare, placed] of [
      [1_000, 100],
      [2_000, 100],
      [1_000, 300],
    ] as const) {
      notebook.note(hello, { perSecond: bare })
      notebook.note(order, { perSecond: placed, p99: 7 })
    }
    expect(notebook.measures.map(({ id }) => id)).toStrictEqual(['hello-64', 'place-64'])
    expect(figure(notebook.measures, 'place-64', 'ratio')).toStrictEqual({ median: 0.1, low: 0.05, high: 0.3 })
    expect(figure(notebook.measures, 'place-64', 'perSecond')?.median).toBe(100)
    expect(notebook.last('place-64')).toStrictEqual({ perSecond: 300, p99: 7, ratio: 0.3 })
  })

  it('has no ratio where there is nothing to compare with', () => {
    const notebook = new Notebook()
    notebook.note(order, { perSecond: 5 })
    expect(notebook.last('place-64')).toStrictEqual({ perSecond: 5 })
    expect(figure(notebook.measures, 'place-64', 'ratio')).toBeUndefined()
    expect(figure(notebook.measures, 'unknown', 'p99')).toBeUndefined()
  })
})
