import { accessSync, constants, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Finding } from './finding.ts'

const FREE_BYTES_MIN = 1e9
const FREE_SHARE_MIN = 0.1
/** Read access means access to every buyer's data. */
const OTHERS = 0o077

/** Checks the folder of the embedded engines and its disk space. */
export async function lookAtFolder(folder: string): Promise<Omit<Finding, 'part'>> {
  const there = nearest(resolve(folder))
  const { bavail, blocks, bsize } = await statfs(there)
  const free = bavail * bsize
  const isMade = there === resolve(folder)
  const mode = statSync(there).mode & 0o777
  return {
    facts: `${folder}${isMade ? '' : ' (made at the first start)'}, ${(free / 1e9).toFixed(1)} GB free of ${((blocks * bsize) / 1e9).toFixed(1)} GB`,
    must: mustOf(there, free),
    note: noteOf({ isFull: bavail < blocks * FREE_SHARE_MIN, isOpen: isMade && (mode & OTHERS) !== 0 }),
  }
}

function mustOf(there: string, free: number): string | undefined {
  try {
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return 'this user cannot write there: change its owner, or set DATA_DIR'
  }
  return free < FREE_BYTES_MIN ? 'make room: a full disk stops the shop' : undefined
}

function noteOf({ isFull, isOpen }: { isFull: boolean; isOpen: boolean }): string | undefined {
  if (isOpen) return 'others may look into it: chmod 700'
  return isFull ? 'nearly full' : undefined
}

function nearest(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) || folder === dirname(folder) ? folder : nearest(dirname(folder))
}
