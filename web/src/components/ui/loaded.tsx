import type { ReactNode } from 'react'
import { sayError } from '../../api/client.ts'
import { Button, Spinner } from './button.tsx'
import { Notice } from './notice.tsx'

interface Response<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly mutate: () => unknown
  /** A retry is running. */
  readonly isMutating?: boolean
}

interface LoadedProps<T> {
  /** SWR's response, or one of the same shape. */
  response: Response<T>
  /** Shown while loading. With a `skeleton`, only screen readers get it. */
  loading: string
  skeleton?: ReactNode
  /** The title of the error. */
  failure: string
  /** Shown instead of empty data. */
  empty?: ReactNode
  children?: (data: T) => ReactNode
}

/** Shows data by its state: loading, failed, empty, or loaded. */
export function Loaded<T>({ response, loading, skeleton, failure, empty, children }: LoadedProps<T>) {
  const { data, error, mutate, isMutating } = response
  if (data !== undefined) return empty ?? children?.(data)
  if (error !== undefined) return <LoadError title={failure} error={error} onRetry={mutate} isRetrying={isMutating} />
  if (skeleton === undefined)
    return (
      <p role="status" className="flex min-h-40 items-center gap-3 text-muted">
        <Spinner />
        {loading}
      </p>
    )
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        {loading}
      </p>
      {skeleton}
    </div>
  )
}

interface LoadErrorProps {
  title: string
  error: unknown
  /** Undefined if a retry would fail again. */
  onRetry: (() => unknown) | undefined
  isRetrying?: boolean | undefined
  /** Actions beside "Try again". */
  children?: ReactNode
}

export function LoadError({ title, error, onRetry, isRetrying = false, children }: LoadErrorProps) {
  return (
    <Notice tone="bad" title={title} role="alert">
      <p>{sayError(error)}</p>
      <p className="flex flex-wrap gap-2">
        {onRetry && (
          <Button onClick={() => void onRetry()} pending={isRetrying && 'Trying again…'}>
            Try again
          </Button>
        )}
        {children}
      </p>
    </Notice>
  )
}

/** Says that the data on the screen may be outdated. */
export function StaleNote({ error }: { error: unknown }) {
  return (
    <p role="status" className="text-sm text-muted">
      {error === undefined || error === null ? '' : 'Not up to date: the shop does not answer. Trying again by itself.'}
    </p>
  )
}

/** A placeholder of the content's size, visible after 150 ms. */
export function Skeleton({ className = 'h-5 w-32' }: { className?: string }) {
  return (
    <span aria-hidden="true" className="inline-block max-w-full animate-appear align-middle">
      <span className={`block max-w-full animate-shimmer rounded-control bg-line ${className}`} />
    </span>
  )
}
