import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { Providers } from './providers.tsx'

/** What a screen shows before the shop has answered, as HTML. Runs in the build only. */
export async function firstPicture(address: string): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <Providers>
      <StaticRouter location={address}>
        <App />
      </StaticRouter>
    </Providers>,
    // Whole, with no script that puts parts into place.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  )
  return text(prelude)
}
