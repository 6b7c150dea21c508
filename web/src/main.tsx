import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { ApiCache } from './api/swr.tsx'
import { App } from './app.tsx'
import { ErrorBoundary } from './components/layout/error-boundary.tsx'
import './styles.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root.')

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary what="The shop">
      <ApiCache>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </ApiCache>
    </ErrorBoundary>
  </StrictMode>,
)
