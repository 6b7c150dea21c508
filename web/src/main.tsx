import './api/link-token.ts'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App, preloadPurchase, Shell } from './app.tsx'
import './styles.css'

const PRELOAD_AFTER_MS = 2_000

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root.')

const page = (
  <Shell>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </Shell>
)

// Most screens are prerendered.
if (root.hasChildNodes()) hydrateRoot(root, page)
else createRoot(root).render(page)

if (!window.location.pathname.startsWith('/admin'))
  window.addEventListener('load', () => setTimeout(preloadPurchase, PRELOAD_AFTER_MS))
