import { DURABILITY, machineLines } from '../machine.ts'
import type { Records } from '../results.ts'
import { shown } from './numbers.ts'
import { plainTable } from './table.ts'
import { budgetTable, goalsTable, measuresTable, sizesTable, soakTable, type Table } from './tables.ts'

/** What the bench prints when it ends. */
export function printed({ latest, large }: Records): string {
  const { run, measures, budgets, bytesPerEvent } = latest
  const lines = [
    ...machineLines(run.machine),
    `${run.command}: ${run.rounds} rounds, about ${run.seconds} s for each load; in brackets lowest, highest and noise of the rounds`,
    DURABILITY.replaceAll('`', ''),
    ...(bytesPerEvent === undefined ? [] : [`${shown(bytesPerEvent)} bytes per event`]),
  ]
  const parts = [
    lines.join('\n'),
    plain(measuresTable(measures)),
    ...(budgets.length === 0 ? [] : [plain(budgetTable(budgets))]),
    ...(large ? [plain(sizesTable(large))] : []),
    ...(large?.soak ? [plain(soakTable(large))] : []),
    plain(withoutUnmeasured(goalsTable({ latest, large }))),
  ]
  return `\n${parts.join('\n\n')}\n`
}

function plain({ columns, rows }: Table): string {
  return plainTable(columns, rows).replaceAll('**', '')
}

/** On a page they stand as what is still to be done; a run of a part only tells that part. */
function withoutUnmeasured({ columns, rows }: Table): Table {
  return { columns, rows: rows.filter((row) => row.at(-1) !== 'not measured') }
}
