import { time, timeInZone } from '../../lib/format.ts'

/** A short time; its tooltip shows the year and the time zone. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={timeInZone(iso)}>
      {time(iso)}
    </time>
  )
}
