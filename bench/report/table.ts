export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
}

export type Row = readonly string[]

/** For a terminal: columns as wide as what stands in them. */
export function plainTable(columns: readonly Column[], rows: readonly Row[]): string {
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: Row): string =>
    columns
      .map(({ align }, at) => {
        const [cell, width] = [cells[at] ?? '', widths[at] ?? 0]
        return align === 'left' ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].join('\n')
}

export function markdownTable(columns: readonly Column[], rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map(escaped).join(' | ')} |`
  const rule = `|${columns.map(({ align }) => (align === 'left' ? '---' : '---:')).join('|')}|`
  return [line(columns.map(({ title }) => title)), rule, ...rows.map(line)].join('\n')
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
