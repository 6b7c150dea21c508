import { time, timeInZone } from '../../lib/format.ts'

/** A short time, or what `children` say of it; its tooltip shows the year and the time zone. */
export function Time({ iso, children }: { iso: string; children?: string }) {
  return (
    <time dateTime={iso} title={timeInZone(iso)}>
      {children ?? time(iso)}
    </time>
  )
}
