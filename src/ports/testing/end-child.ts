import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Resolves when the process has exited; at once where there is none. */
export async function endChild(child: ChildProcess | undefined, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  // A stopped process handles SIGTERM only after SIGCONT.
  child.kill('SIGCONT')
  child.kill(signal)
  await exited
}
