import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 500

/** How much memory a process has now, in megabytes. Told by Linux alone. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    return megabytesIn(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return undefined
  }
}

export function megabytesIn(status: string): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
}

export interface MemoryWatch {
  peakMegabytes(): number | undefined
  stop(): void
}

export function watchMemory(pid: number): MemoryWatch {
  let peak: number | undefined
  const look = (): void => {
    const megabytes = residentMegabytes(pid)
    if (megabytes !== undefined) peak = Math.max(peak ?? 0, megabytes)
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    peakMegabytes() {
      look()
      return peak
    },
    stop: () => clearInterval(timer),
  }
}
