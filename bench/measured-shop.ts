import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ADMIN_PASSWORD } from '../src/testing/buyers.ts'
import { freePort } from '../src/ports/testing/free-port.ts'
import { endAtExit } from './leftovers.ts'
import { type ShopProcess, startShopProcess } from '../src/testing/shop-process.ts'

const START_MS = 600_000
const READY_MS = 1_800_000
const POLL_MS = 20

interface Started {
  /** One process for each; by default one for all. */
  readonly roles?: readonly string[] | undefined
  /** Another checkout. */
  readonly root?: string
  readonly node?: string
}

/** Starts a shop in its own processes, to measure their load on the machine. Orders do not expire meanwhile. Its processes end with this one. */
export async function startMeasuredShop(env: Readonly<Record<string, string>>, { roles, root, node }: Started = {}) {
  const PORT = String(await freePort())
  const all = { ADMIN_PASSWORD, ORDER_TTL_MINUTES: '600', ...env }
  const options = { startTimeoutMs: START_MS, ...(root && { root: pathToFileURL(`${root}/`) }), ...(node && { node }) }
  const parts: { role: string; pid: number; part: ShopProcess }[] = []
  // Each process leads its own group, which gets none of this one's signals.
  const forget = endAtExit(() => parts.forEach(({ pid }) => process.kill(-pid, 'SIGKILL')))
  for (const role of roles ?? ['shop']) {
    const own = { ...all, ...(roles && { ROLES: role }), ...((!roles || role === 'api') && { PORT }) }
    const part = await startShopProcess(own, options)
    parts.push({ role, pid: part.pid, part })
  }
  const url = `http://127.0.0.1:${PORT}`
  return {
    url,
    processes: parts as readonly { readonly role: string; readonly pid: number }[],
    /** Resolves when all views show the whole log. */
    ready: async () => ready(url),
    /** Resident memory of all processes. NaN if the system has no /proc. */
    megabytes: () => parts.reduce((sum, { pid }) => sum + megabytesOf(pid), 0),
    /** Stops it as an operator does. Throws if a process fails to stop. */
    async stop() {
      const codes = await Promise.all(parts.map(async ({ part }) => part.stop()))
      forget()
      const failed = parts.filter((_, at) => codes[at] !== 0)
      if (failed.length === 0) return
      throw new Error(`the shop did not stop well: ${failed.flatMap(({ part }) => part.output).join(' ')}`)
    },
  }
}

export type MeasuredShop = Awaited<ReturnType<typeof startMeasuredShop>>

async function ready(url: string): Promise<void> {
  const deadline = performance.now() + READY_MS
  for (;;) {
    const answer = await fetch(`${url}/readyz`)
    const body = await answer.text()
    if (answer.ok) return
    if (performance.now() > deadline) throw new Error(`the shop is not ready: ${body}`)
    await pause(POLL_MS)
  }
}

/** Processor time of all threads of a process. NaN if the system does not report it. */
export function processorNs(pid: number): number {
  if (!existsSync('/proc/self/schedstat')) return Number.NaN
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + threadNs(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

function threadNs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ', 1)[0])
  } catch {
    // The thread has ended.
    return 0
  }
}

function megabytesOf(pid: number): number {
  const status = `/proc/${pid}/status`
  if (!existsSync(status)) return Number.NaN
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]) / 1_024
}
