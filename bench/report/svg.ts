/* Charts as plain SVG, readable on a light and on a dark page. */

const WIDTH = 760
const PADDING = 20
const TITLE_HEIGHT = 52
/** Above the highest line of a grid. */
const HEADROOM = 12
const ROW_HEIGHT = 26
const BAR_HEIGHT = 14
const LABEL_WIDTH = 300
const VALUE_WIDTH = 150
const PLOT_HEIGHT = 220
const AXIS_WIDTH = 64
const LEGEND_WIDTH = 150
const TICKS_AIMED_AT = 4

export interface Bar {
  readonly label: string
  readonly value: number
  /** The value as it is written beside the bar. */
  readonly text: string
  /** Lowest and highest of all rounds. */
  readonly low?: number
  readonly high?: number
  /** What has to be reached, and what should be. */
  readonly must?: number
  readonly goal?: number
}

export interface Series {
  readonly name: string
  /** One for each place of the x axis; undefined where there is none. */
  readonly values: readonly (number | undefined)[]
}

interface Titled {
  readonly title: string
  /** What is shown, in what unit. */
  readonly subtitle: string
}

/** Horizontal bars from zero, one below the other. */
export function barChart(chart: Titled & { readonly bars: readonly Bar[] }): string {
  const { bars } = chart
  const left = PADDING + LABEL_WIDTH
  const width = WIDTH - left - VALUE_WIDTH - PADDING
  const most = Math.max(...bars.flatMap(({ value, high = 0, must = 0, goal = 0 }) => [value, high, must, goal]), 0)
  const x = (value: number): number => left + (most === 0 ? 0 : (value / most) * width)
  const parts = bars.flatMap(({ label, value, text, low, high, must, goal }, index) => {
    const middle = TITLE_HEIGHT + ROW_HEIGHT * (index + 0.5)
    const top = middle - BAR_HEIGHT / 2
    return [
      textAt(left - 10, middle + 4, label, { anchor: 'end' }),
      rectangle({ x: left, y: top, width: Math.max(x(value) - left, 1), height: BAR_HEIGHT, name: 's0' }),
      ...(low !== undefined && high !== undefined && low !== high
        ? [line({ x: x(low), y: middle }, { x: x(high), y: middle }, 'whisker')]
        : []),
      ...(must === undefined
        ? []
        : [line({ x: x(must), y: top - 4 }, { x: x(must), y: top + BAR_HEIGHT + 4 }, 'must')]),
      ...(goal === undefined
        ? []
        : [line({ x: x(goal), y: top - 4 }, { x: x(goal), y: top + BAR_HEIGHT + 4 }, 'goal')]),
      textAt(left + width + 10, middle + 4, text, {}),
    ]
  })
  return svg(chart, TITLE_HEIGHT + ROW_HEIGHT * bars.length + PADDING / 2, parts)
}

/** Lines over the places of an x axis, from zero up. */
export function lineChart(
  chart: Titled & { readonly places: readonly string[]; readonly series: readonly Series[] },
): string {
  const { places } = chart
  const series = chart.series.filter((one) => one.values.some((value) => value !== undefined))
  const left = PADDING + AXIS_WIDTH
  const width = WIDTH - left - LEGEND_WIDTH - PADDING
  const bottom = TITLE_HEIGHT + HEADROOM + PLOT_HEIGHT
  const values = series.flatMap((one) => one.values.filter((value) => value !== undefined))
  const ticks = ticksUpTo(Math.max(...values, 0))
  const most = ticks.at(-1) ?? 1
  const x = (index: number): number => left + (places.length < 2 ? width / 2 : (index / (places.length - 1)) * width)
  const y = (value: number): number => bottom - (value / most) * PLOT_HEIGHT
  const grid = ticks.flatMap((tick) => [
    line({ x: left, y: y(tick) }, { x: left + width, y: y(tick) }, 'grid'),
    textAt(left - 8, y(tick) + 4, tick.toLocaleString('en-US'), { anchor: 'end', name: 'muted' }),
  ])
  const labels = places.map((place, index) => textAt(x(index), bottom + 20, place, { anchor: 'middle', name: 'muted' }))
  const lines = series.flatMap((one, index) => {
    const name = `s${index % SERIES_COLOURS.length}`
    const points = one.values.flatMap((value, at) => (value === undefined ? [] : [{ x: x(at), y: y(value) }]))
    return [
      `<polyline class="line ${name}" points="${points.map((point) => `${round(point.x)},${round(point.y)}`).join(' ')}"/>`,
      ...points.map((point) => `<circle class="${name}" cx="${round(point.x)}" cy="${round(point.y)}" r="3"/>`),
    ]
  })
  const legend = series.flatMap(({ name }, index) => {
    const top = TITLE_HEIGHT + HEADROOM + 10 + index * 22
    const className = `s${index % SERIES_COLOURS.length}`
    const box = { x: left + width + 16, y: top - 9, width: 10, height: 10, name: className }
    return [rectangle(box), textAt(left + width + 32, top, name, {})]
  })
  return svg(chart, bottom + 32, [...grid, ...labels, ...lines, ...legend])
}

/** Round numbers from zero to at least `most`. */
export function ticksUpTo(most: number): number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / TICKS_AIMED_AT
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)))
}

const SERIES_COLOURS = [
  { light: '#2563eb', dark: '#6ea8fe' },
  { light: '#c2410c', dark: '#fb923c' },
  { light: '#0f766e', dark: '#5eead4' },
  { light: '#7e22ce', dark: '#c4a1ff' },
  { light: '#a16207', dark: '#facc15' },
] as const

function colours(theme: 'light' | 'dark'): string {
  const isLight = theme === 'light'
  return [
    `.page{fill:${isLight ? '#ffffff' : '#0d1117'}}`,
    `text{fill:${isLight ? '#1f2328' : '#e6edf3'}}`,
    `.muted{fill:${isLight ? '#59636e' : '#9198a1'}}`,
    `.grid{stroke:${isLight ? '#d1d9e0' : '#30363d'}}`,
    `.whisker{stroke:${isLight ? '#1f2328' : '#e6edf3'}}`,
    `.must{stroke:${isLight ? '#b91c1c' : '#ff8a80'}}`,
    `.goal{stroke:${isLight ? '#15803d' : '#7ee787'}}`,
    ...SERIES_COLOURS.map(
      (colour, index) => `.s${index}{fill:${colour[theme]}}.line.s${index}{stroke:${colour[theme]};fill:none}`,
    ),
  ].join('')
}

const STYLE = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif}',
  '.title{font-size:15px;font-weight:600}',
  '.line{stroke-width:2}.grid{stroke-width:1}.whisker{stroke-width:1.5}.must,.goal{stroke-width:2.5}',
  colours('light'),
  `@media (prefers-color-scheme:dark){${colours('dark')}}`,
].join('')

function svg({ title, subtitle }: Titled, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>`,
    textAt(PADDING, 24, title, { name: 'title' }),
    textAt(PADDING, 42, subtitle, { name: 'muted' }),
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

interface Point {
  readonly x: number
  readonly y: number
}

function textAt(
  x: number,
  y: number,
  text: string,
  { anchor = 'start', name }: { anchor?: string; name?: string },
): string {
  const attributes = `${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${name === undefined ? '' : ` class="${name}"`}`
  return `<text x="${round(x)}" y="${round(y)}"${attributes}>${escaped(text)}</text>`
}

function rectangle(box: Point & { width: number; height: number; name: string }): string {
  const { x, y, width, height, name } = box
  return `<rect class="${name}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="2"/>`
}

function line(from: Point, to: Point, name: string): string {
  return `<line class="${name}" x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}"/>`
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
