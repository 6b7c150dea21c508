import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { ApiCache } from './api/swr.tsx'
import { ErrorBoundary } from './components/layout/error-boundary.tsx'

/** Wraps the router, in the browser and when prerendering. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ErrorBoundary what="The shop">
        <ApiCache>{children}</ApiCache>
      </ErrorBoundary>
    </StrictMode>
  )
}
