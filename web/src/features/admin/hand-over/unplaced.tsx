import { useUnplaced } from '../../../api/admin.ts'
import { LoadError } from '../../../components/ui/loaded.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { useAsOf } from '../shared/use-as-of.ts'
import { atLeast } from '../shared/staff-words.ts'

/** Warns of payments whose order is not in the log, which means that events were lost. Else renders nothing. */
export function Unplaced() {
  const { data, error, mutate } = useUnplaced(useAsOf())
  if (data !== undefined && data.total > 0)
    return (
      <Notice tone="bad" title={`${atLeast(data.total, 'payment')} without an order`}>
        <p>
          Events of the shop were lost. <code>npm run shop -- admin unplaced</code> lists and settles{' '}
          {data.total === 1 ? 'it' : 'them'}.
        </p>
      </Notice>
    )
  if (error === undefined) return null
  return <LoadError title="Payments without an order could not be loaded" error={error} onRetry={mutate} />
}
