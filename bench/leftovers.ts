import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Processes and folders that must not outlive a bench or a load test, however it ends. */
const leftovers = new Set<() => void>()

process.on('exit', () => {
  for (const end of leftovers)
    try {
      end()
    } catch {
      // It may have ended already; the others must still be ended.
    }
})

/** Calls `end` when this process exits, unless the returned function was called before. */
export function endAtExit(end: () => void): () => void {
  leftovers.add(end)
  return () => void leftovers.delete(end)
}

/** A new folder, removed when this process exits. */
export function folderOfRun(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-run-'))
  endAtExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
