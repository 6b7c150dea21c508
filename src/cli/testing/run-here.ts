import { vi } from 'vitest'
import type { Ended } from './run-script.ts'

/** Runs a command in this process, with this environment alone, one at a time. */
export async function runHere(env: Record<string, string>, command: () => Promise<number>): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      said[name] += chunk.toString()
      return true
    }),
  )
  const before = process.env
  process.env = env
  try {
    return { code: await command(), ...said }
  } finally {
    process.env = before
    for (const spy of spies) spy.mockRestore()
  }
}
