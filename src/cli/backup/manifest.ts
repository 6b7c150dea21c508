import { createHash } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, fsyncSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { VAULT_FILE } from '../../engines.ts'
import { EVENTS_FILE } from '../../log-engines.ts'

/** Written last: a folder without it is no whole copy. */
export const MANIFEST_FILE = 'manifest.json'
export const FILE_OF = { log: EVENTS_FILE, vault: VAULT_FILE } as const

const manifest = z.strictObject({
  format: z.literal(1),
  part: z.enum(['log', 'vault']),
  /** The same in both parts of a backup. */
  backupId: z.uuid(),
  /** The fingerprint of the vault, by which the log names it. */
  shopId: z.string().min(1),
  /** Which release copied it, for a reader of this file. */
  version: z.string(),
  commit: z.string(),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Position of the newest event in the log's copy. */
  logHead: z.string().min(1),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** A new file that only this user may read, on the disk when it is closed. */
const PRIVATE = { flags: 'wx', mode: 0o600, flush: true } as const

export type Manifest = z.infer<typeof manifest>

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await pipeline(
    [`${JSON.stringify(content, undefined, 2)}\n`],
    createWriteStream(join(folder, MANIFEST_FILE), PRIVATE),
  )
}

/** Throws one line where the folder has no whole copy of this part. */
export async function readManifest(folder: string, part: Manifest['part']): Promise<Manifest> {
  const file = join(folder, MANIFEST_FILE)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${file} cannot be read (${error.code}), so ${folder} has no whole copy: take a folder that npm run shop -- backup has finished`,
      { cause: error },
    )
  })
  const parsed = manifest.safeParse(asJson(text))
  if (!parsed.success)
    throw new Error(`${file} is not what a backup of this release has: take another copy, or the release that wrote it`)
  if (parsed.data.part === part) return parsed.data
  throw new Error(`${folder} has the copy of a ${parsed.data.part}, not of a ${part}: name the folder of the ${part}`)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of the bytes of a file, which is copied into `to`, a new private file, where that is given. */
export async function digestOf(
  file: string,
  { to, onProgress }: { to?: string; onProgress?: (bytes: number) => void } = {},
): Promise<Pick<Manifest, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(
    createReadStream(file),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        onProgress?.(bytes)
        yield chunk
      }
    },
    to === undefined ? new Writable({ write: (_chunk, _encoding, done) => done() }) : createWriteStream(to, PRIVATE),
  )
  return { bytes, sha256: hash.digest('hex') }
}

/** Makes what was renamed in this folder survive a loss of power. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
