import { noteReveal } from '../../commands/note-reveal.ts'
import { openEngines } from '../../engines.ts'
import { type Buyer, keysOf, openSealed } from '../../event-store/event-log.ts'
import { type EventStore, type Position, START, type StoredEvent } from '../../event-store/event-store.ts'
import { shortOf } from '../../event-store/limits.ts'
import { SealBroken } from '../../event-store/sealing.ts'
import { type Column, type Format, formats, headOf, isBegunAs, type Row, textOf } from '../../history/columns.ts'
import { eventColumns, eventRow } from '../../history/export-events.ts'
import { orderAsOf, orderColumns, orderRow } from '../../history/export-orders.ts'
import { isOfMoney, paymentColumns, paymentRows } from '../../history/export-payments.ts'
import { isBy, type Moment } from '../../history/moment.ts'
import { readable } from '../../history/readable.ts'
import { pagesUpTo } from '../../history/pages-up-to.ts'
import { daysIn } from '../../projections/calendar.ts'
import { orderIdOf } from '../../domain/stream-names.ts'
import { systemClock } from '../../system.ts'
import type { Vault } from '../../vault/vault.ts'
import { flag, ofAnyOptions, oneOf, text, UsageError } from '../command-line.ts'
import { staff } from '../lost-events.ts'
import { assertNew, type Begun, begunIn, newFile, resumedFile, type Sink } from './export-file.ts'
import {
  after,
  asOf,
  assertBegunBy,
  codes,
  from,
  momentOf,
  positionOf,
  type Reading,
  spanOf,
  to,
  withLog,
} from './reading.ts'

interface Source {
  readonly columns: readonly Column[]
  /** Gives the rows of events. */
  rowsOf(asked: Asked): (page: readonly StoredEvent[]) => Promise<readonly Row[]> | readonly Row[]
}

interface Asked {
  readonly reading: Reading
  /** Orders are as they were then. */
  readonly moment: Moment
  /** Opens the personal fields; undefined without `--reveal`. */
  readonly vault: Pick<Vault, 'keysOf'> | undefined
}

const sources: Readonly<Record<string, Source>> = {
  orders: { columns: orderColumns, rowsOf: orderRowsOf },
  events: { columns: eventColumns, rowsOf: () => (page) => page.map(eventRow) },
  payments: {
    columns: paymentColumns,
    rowsOf({ reading }) {
      const dayOf = daysIn(reading.timeZone)
      return (page) => page.filter(isOfMoney).flatMap((event) => paymentRows(readable(event), dayOf))
    },
  },
}

export const exporting = ofAnyOptions({
  name: 'history export',
  does: 'orders, events or payments as a file for notebooks and spreadsheets',
  operands: ['orders|events|payments'],
  options: {
    format: oneOf('FORMAT', 'one of', formats),
    from,
    to,
    after,
    'as-of': asOf,
    'to-file': text('FILE', 'a new file, which only this user may read; without it, stdout'),
    resume: flag('goes on with --to-file where it was interrupted'),
    reveal: flag('orders: with who the buyers are; needs the vault, and is noted in the log of the shop'),
  },
  notes: `Orders are those placed from --from to --to, as they were --as-of. Each row begins with the position that --after goes on behind; the last one is said at the end.
docs/analysts.md says what stands in each column. A text that a spreadsheet would take for a formula begins with an apostrophe.

${codes}`,
  run: async ({ format = 'csv', from: begins, to: ends, after: position, ...asked }, [what = '']) => {
    const source = Object.hasOwn(sources, what) ? sources[what] : undefined
    if (!source) throw new UsageError(`'${what}' is not exported: ${Object.keys(sources).join(', ')}`)
    if (asked.reveal && what !== 'orders') throw new UsageError(`${what} name no buyer: --reveal is for orders`)
    if (asked['as-of'] !== undefined && what !== 'orders')
      throw new UsageError('--as-of is for orders: others have --to')
    const { 'to-file': file, resume = false } = asked
    if (resume && (file === undefined || position !== undefined))
      throw new UsageError('--resume needs --to-file, and no --after')
    return withLog(async (reading) => {
      const moment = await momentOf(reading, asked['as-of'])
      const { beginning, end } = await spanOf(reading, { from: begins, to: ends })
      await assertBegunBy(reading, moment, { from: begins, 'as-of': asked['as-of'] })
      const last = ends === undefined ? moment : end
      const start = await positionOf(reading, position)
      const head = await reading.store.head()
      const columns = source.columns.filter(({ isPersonal }) => asked.reveal || isPersonal !== true)
      const ownOf = (page: readonly StoredEvent[]) => page.filter((event) => !isBy(event, beginning))
      const endsWithin = async (begun: Begun): Promise<boolean> => {
        const event = await lastOf(begun, reading.store, last)
        const rowsOf = source.rowsOf({ reading, moment, vault: undefined })
        return event !== undefined && (await rowsOf(ownOf([event]))).length > 0
      }
      // What can be refused is refused before the log notes that buyers are revealed.
      const begin = await checkedSink(reading, { file, resume, start, format, columns, endsWithin })
      return withVault(reading, asked.reveal ? head : undefined, async (vault) => {
        const rowsOf = source.rowsOf({ reading, moment, vault })
        const sink = await begin()
        try {
          let [rows, reached] = [0, sink.after]
          for await (const page of pagesUpTo(reading.store, last, { after: sink.after })) {
            const own = await rowsOf(ownOf(page))
            await sink.write(textOf(format, columns, own))
            rows += own.length
            reached = page.at(-1)?.position ?? reached
            reading.show(`${rows} rows, up to position ${shortOf(reached)}`)
          }
          await reading.say('')
          process.stderr.write(`${rows} rows; to go on later: --after ${shortOf(reached)}\n`)
        } finally {
          await sink.close()
        }
        return 0
      })
    })
  },
})

interface Target {
  readonly file: string | undefined
  readonly resume: boolean
  readonly start: Position
  readonly format: Format
  readonly columns: readonly Column[]
  /** Whether this export writes the rows of the last event again. */
  readonly endsWithin: (begun: Begun) => Promise<boolean>
}

/** Changes nothing before the sink is opened. Throws `UsageError`. */
async function checkedSink(
  reading: Reading,
  { file, resume, start, format, columns, endsWithin }: Target,
): Promise<() => Promise<Sink>> {
  const first = headOf(format, columns)
  if (file === undefined)
    return async () => {
      await reading.say(first)
      return { after: start, write: async (written) => reading.say(written), close: async () => undefined }
    }
  if (!resume) {
    await assertNew(file)
    return async () => newFile(file, { first, after: start })
  }
  const begun = await begunIn(file, { first, isOwn: (beginning) => isBegunAs(format, columns, beginning) })
  if (begun.last !== START && !(await endsWithin(begun)))
    throw new UsageError(
      `${file} ends at position ${shortOf(begun.last)}, which these options leave out: go on with the log, --from, --to and --as-of that it was begun with`,
    )
  return async () => resumedFile(file, { first, begun })
}

/** The last event of the file; undefined where the log up to the moment has none at its position. */
async function lastOf(begun: Begun, store: EventStore, moment: Moment): Promise<StoredEvent | undefined> {
  for await (const page of pagesUpTo(store, moment, { after: begun.after })) {
    const event = page.find(({ position }) => position >= begun.last)
    if (event) return event.position === begun.last ? event : undefined
  }
  return undefined
}

/** Opens the vault where buyers are revealed, after the log has noted it. */
async function withVault(
  { config }: Reading,
  upTo: Position | undefined,
  work: (vault: Vault | undefined) => Promise<number>,
): Promise<number> {
  if (upTo === undefined) return work(undefined)
  const engines = await openEngines(config, { leavesViews: true })
  try {
    process.stderr.write('This names the buyers. The log of the shop notes it.\n')
    await noteReveal({ log: engines.log, clock: systemClock }, staff(), { what: 'orders', upTo })
    return await work(engines.vault)
  } finally {
    await engines.close()
  }
}

function orderRowsOf({ reading: { store, timeZone }, moment, vault }: Asked): ReturnType<Source['rowsOf']> {
  const dayOf = daysIn(timeZone)
  return async (page) => {
    const placings = page.filter(({ type }) => type === 'OrderPlaced')
    const buyers = vault && (await buyersOf(vault, placings))
    const rows: Row[] = []
    for (const { stream, position } of placings) {
      const found = await orderAsOf(store, orderIdOf(stream) ?? '', moment)
      const buyer = buyers && (buyers.get(position) ?? 'unreadable')
      if (found) rows.push(orderRow(found, { position, dayOf, buyer }))
    }
    return rows
  }
}

/** By the position of the placing; buyers whose seal is broken are left out. */
async function buyersOf(
  vault: Pick<Vault, 'keysOf'>,
  placings: readonly StoredEvent[],
): Promise<ReadonlyMap<Position, Buyer>> {
  const placed = placings.map(readable).filter((event) => event.type === 'OrderPlaced')
  const keys = await keysOf(
    vault,
    placed.map(({ data }) => data.customerId),
  )
  const buyers = new Map<Position, Buyer>()
  for (const { position, data } of placed)
    try {
      buyers.set(position, openSealed(data, keys))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
    }
  return buyers
}
