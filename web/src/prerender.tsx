import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { Shell } from './shell.tsx'

/** Prerenders a screen as it is before any data is loaded. Runs in the build only. */
export async function prerender(address: string): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <Shell>
      <StaticRouter location={address}>
        <App />
      </StaticRouter>
    </Shell>,
    // One piece: streamed boundaries would need inline scripts.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  )
  return text(prelude)
}
