import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { ApiCache } from './api/swr.tsx'
import { ErrorBoundary } from './components/layout/error-boundary.tsx'

/** Around the router: what every page stands in, in the browser and in the build. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ErrorBoundary what="The shop">
        <ApiCache>{children}</ApiCache>
      </ErrorBoundary>
    </StrictMode>
  )
}
