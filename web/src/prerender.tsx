import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { App, Shell } from './app.tsx'

/** Renders a screen without data. Runs in the build only. */
export async function prerender(address: string): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <Shell>
      <StaticRouter location={address}>
        <App />
      </StaticRouter>
    </Shell>,
    // A single chunk: streamed boundaries would need inline scripts.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  )
  return text(prelude)
}
