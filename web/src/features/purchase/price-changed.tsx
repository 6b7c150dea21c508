import { Notice } from '../../components/ui/notice.tsx'
import { centsOf, usd } from '../../lib/format.ts'

/** The old price, which the buyer accepted, and the new one. */
export function PriceChanged({ was, now }: { was: string | null; now: string }) {
  return (
    <Notice tone="wait" title="The price has changed" role="alert">
      <p className="tabular">
        {was !== null && (
          <>
            It was <s>{usd(centsOf(was))}</s> when you chose.{' '}
          </>
        )}
        It is now <strong>{usd(centsOf(now))}</strong>. Nothing is ordered until you continue.
      </p>
    </Notice>
  )
}
