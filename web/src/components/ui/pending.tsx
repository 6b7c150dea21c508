import { Spinner } from './button.tsx'
import { LoadError } from './notice.tsx'

interface PendingProps {
  loading: string
  /** What to say when it did not come. */
  failure: string
  error: unknown
  onRetry: () => void
}

/** In place of something that is loaded: a word that it is on its way, or why it did not come. */
export function Pending({ loading, failure, error, onRetry }: PendingProps) {
  if (error !== undefined) return <LoadError title={failure} error={error} onRetry={onRetry} />
  return (
    <p role="status" className="flex min-h-40 items-center gap-3 text-muted">
      <Spinner />
      {loading}
    </p>
  )
}
