import { describe, expect, it } from 'vitest'
import { barChart, lineChart, ticksUpTo } from './svg.ts'

const attribute = (tag: string, name: string): number => Number(new RegExp(` ${name}="([^"]+)"`).exec(tag)?.[1])
const tags = (svg: string, start: string): string[] => svg.split('\n').filter((line) => line.startsWith(start))

describe('a bar chart', () => {
  const chart = barChart({
    title: 'Orders <placed>',
    subtitle: 'per second',
    bars: [
      { label: 'one', value: 50, text: '50', low: 40, high: 60, must: 80, goal: 100 },
      { label: 'two', value: 25, text: '25' },
    ],
  })

  it('draws bars as long as their values', () => {
    const [one = '', two = ''] = tags(chart, '<rect class="s0"')
    expect(attribute(one, 'width')).toBeCloseTo(2 * attribute(two, 'width'), 0)
  })

  it('marks what has to be reached on the same scale', () => {
    const [bar = ''] = tags(chart, '<rect class="s0"')
    const [must = ''] = tags(chart, '<line class="must"')
    const [goal = ''] = tags(chart, '<line class="goal"')
    const left = attribute(bar, 'x')
    expect((attribute(must, 'x1') - left) / (attribute(goal, 'x1') - left)).toBeCloseTo(0.8, 2)
    expect((attribute(goal, 'x1') - left) / 2).toBeCloseTo(attribute(bar, 'width'), 0)
  })

  it('spans the rounds, where there were several', () => {
    const whiskers = tags(chart, '<line class="whisker"')
    expect(whiskers).toHaveLength(1)
    expect(attribute(whiskers[0] ?? '', 'x2')).toBeGreaterThan(attribute(whiskers[0] ?? '', 'x1'))
  })

  it('is an image with a title, whatever the title is', () => {
    expect(chart).toContain('<title>Orders &lt;placed&gt;</title>')
    expect(chart).toContain('prefers-color-scheme:dark')
  })

  it('draws nothing at all without a number that is none', () => {
    const empty = barChart({ title: '', subtitle: '', bars: [{ label: 'zero', value: 0, text: '0' }] })
    for (const svg of [chart, empty]) expect(svg).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('a line chart', () => {
  const chart = lineChart({
    title: 'p99',
    subtitle: 'ms',
    places: ['1', '16', '64'],
    series: [
      { name: 'up', values: [10, 20, 40] },
      { name: 'with a gap', values: [5, undefined, 5] },
    ],
  })

  it('puts higher values higher, from zero on', () => {
    const [one, two, three] = tags(chart, '<circle class="s0"').map((tag) => attribute(tag, 'cy'))
    const [zero] = tags(chart, '<line class="grid"').map((tag) => attribute(tag, 'y1'))
    expect((zero ?? 0) - (two ?? 0)).toBeCloseTo(2 * ((zero ?? 0) - (one ?? 0)), 0)
    expect((zero ?? 0) - (three ?? 0)).toBeCloseTo(4 * ((zero ?? 0) - (one ?? 0)), 0)
  })

  it('leaves out what was not measured', () => {
    expect(tags(chart, '<circle class="s1"')).toHaveLength(2)
    expect(chart).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('names every line', () => {
    for (const name of ['up', 'with a gap']) expect(chart).toContain(`>${name}</text>`)
  })
})

describe('the ticks of an axis', () => {
  it.for([
    [97, [0, 25, 50, 75, 100]],
    [4, [0, 1, 2, 3, 4]],
    [0.09, [0, 0.025, 0.05, 0.075, 0.1]],
    [0, [0, 1]],
  ] as const)('up to %s are round', ([most, ticks]) => expect(ticksUpTo(most)).toStrictEqual(ticks))
})
