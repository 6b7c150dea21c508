import type { EventLog, RecordedEvent } from '../log/event-log.ts'
import { SealBroken } from '../log/sealing.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import type { OpenedBuyers } from './fold.ts'

/** The buyers of the events whose personal data a projection needs. Damaged data of one event does not affect the others. */
export async function openedBuyers(
  log: Pick<EventLog, 'openPersonal'>,
  projections: readonly Projection[],
  events: readonly LogEvent[],
): Promise<OpenedBuyers> {
  const sealed = events.filter(
    (event): event is RecordedEvent =>
      event.type !== 'unreadable' && projections.some((projection) => projection.opens?.(event) === true),
  )
  if (sealed.length === 0) return new Map()
  try {
    return await log.openPersonal(sealed)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    if (sealed.length === 1) return new Map(sealed.map(({ id }) => [id, error]))
  }
  const opened = new Map<string, Exclude<ReturnType<OpenedBuyers['get']>, undefined>>()
  for (const event of sealed)
    for (const [id, buyer] of await openedBuyers(log, projections, [event])) opened.set(id, buyer)
  return opened
}
