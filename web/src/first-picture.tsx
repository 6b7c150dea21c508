import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { Providers } from './providers.tsx'

/** Prerenders a screen as it is before any data is loaded. Runs in the build only. */
export async function firstPicture(address: string): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <Providers>
      <StaticRouter location={address}>
        <App />
      </StaticRouter>
    </Providers>,
    // One piece: streamed boundaries would need inline scripts.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  )
  return text(prelude)
}
