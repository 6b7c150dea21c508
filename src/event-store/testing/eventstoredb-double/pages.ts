import type { Pages } from './front.ts'
import { VERSION } from './services.ts'

const FREE_BYTES = 40_000_000_000

/** What the server says of itself over HTTP. */
export function pagesOf({ isInMemory }: { isInMemory: boolean }): Pages {
  const drive = { availableBytes: FREE_BYTES, totalBytes: 2 * FREE_BYTES, usage: '50%', usedBytes: FREE_BYTES }
  return {
    '/info': { esVersion: `${VERSION}.0`, state: 'leader', features: { projections: false }, authentication: {} },
    '/info/options': [
      { name: 'MemDb', value: isInMemory ? 'True' : 'False', group: 'Database Options' },
      { name: 'MaxAppendSize', value: '1048576', group: 'Application Options' },
    ],
    '/stats': { proc: { startTime: '2026-01-01T00:00:00.0000000Z' }, sys: { drive: { '/var/lib/eventstore': drive } } },
  }
}
