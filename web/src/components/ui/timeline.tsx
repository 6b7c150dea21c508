import type { Actor, Order } from '#contract/order.ts'
import { time, timeInZone } from '../../lib/format.ts'

interface TimelineProps {
  events: NonNullable<Order['events']>
  /** The names of actors, shown to staff. */
  actors?: Readonly<Record<Actor, string>>
}

/** Events with their times, newest first. */
export function Timeline({ events, actors }: TimelineProps) {
  if (events.length === 0) return <p className="text-muted">Nothing has happened to this order yet.</p>
  return (
    <ol className="grid">
      {events.toReversed().map((event, index) => (
        <li
          key={`${event.at}-${event.type}-${index}`}
          className="relative grid gap-0.5 border-l-2 border-line pb-5 pl-5 before:absolute before:top-1.5 before:-left-[7px] before:size-3 before:rounded-full before:border before:border-edge before:bg-surface first:before:border-amber-edge first:before:bg-amber last:border-transparent last:pb-0"
        >
          <span>{event.text}</span>
          <span className="tabular-nums text-sm text-muted">
            {actors && `${actors[event.actor]}, `}
            <Time iso={event.at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** A short time, or what `children` say of it; its tooltip shows the year and the time zone. */
export function Time({ iso, children }: { iso: string; children?: string }) {
  return (
    <time dateTime={iso} title={timeInZone(iso)}>
      {children ?? time(iso)}
    </time>
  )
}
