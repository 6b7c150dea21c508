import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Build } from './api/api.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMIT = /^[0-9a-f]{7,64}$/
const COMMIT_LENGTH = 12

/** Which release this is, by `package.json`, and of which commit: by the environment (an image has no `.git`), or by the checkout. */
export function buildOf(commit: string | undefined, root = ROOT): Build {
  const { version } = JSON.parse(textOf(`${root}/package.json`) ?? '{}') as { version?: string }
  const found = commit ?? commitOf(`${root}/.git`) ?? ''
  return { version: version ?? 'unknown', commit: COMMIT.test(found) ? found.slice(0, COMMIT_LENGTH) : 'unknown' }
}

function commitOf(folder: string): string | undefined {
  const head = textOf(`${folder}/HEAD`)
  if (head === undefined || !head.startsWith('ref: ')) return head
  const branch = head.slice('ref: '.length)
  const packed = textOf(`${folder}/packed-refs`)?.split('\n')
  return textOf(`${folder}/${branch}`) ?? packed?.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0]
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
