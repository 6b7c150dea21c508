import { time, timeInZone } from '../../lib/format.ts'

/** A moment in short; pointing at it tells the year and the time zone. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={timeInZone(iso)}>
      {time(iso)}
    </time>
  )
}
