import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, it } from 'vitest'
import type * as Screens from './screens.js'
import { installedCopy } from '../testing/installed-copy.ts'

let root: string

beforeEach(() => {
  root = installedCopy()
  cpSync(new URL('../../web/src/routes', import.meta.url), join(root, 'web/src/routes'), { recursive: true })
  mkdirSync(join(root, 'dist/web'), { recursive: true })
})

/** Starts the copy, which ends before it is open: its configuration is wrong. */
function started(): Promise<string> {
  const env = { PATH: process.env['PATH'], PORT: 'none' }
  return new Promise((resolve) =>
    execFile(process.execPath, ['src/process/start.js'], { cwd: root, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  )
}

const DUE =
  'Building the screens ...\nthe screens cannot be built: the packages that build them are not installed: ' +
  'run "npm ci --include=dev", then this again\n'
const NOT_DUE = expect.stringMatching(/^configuration: PORT [^\n]+\n$/)

async function markBuilt(): Promise<void> {
  const { BUILT_FROM, screensDigest } = (await import(
    pathToFileURL(join(root, 'src/process/screens.js')).href
  )) as typeof Screens
  writeFileSync(BUILT_FROM, screensDigest())
}

it('missing screens are built, and a failed build says in one line what it needs', async () =>
  expect(await started()).toBe(DUE))

it.each([
  { changed: 'a source', file: 'web/src/routes/landing.tsx', due: DUE },
  { changed: 'a rule that they show', file: 'src/domain/pricing.ts', due: DUE },
  { changed: 'the version of a package', file: 'package-lock.json', due: DUE },
  { changed: 'a test', file: 'web/src/routes/landing.test.ts', due: NOT_DUE },
  { changed: 'nothing', file: undefined, due: NOT_DUE },
])('screens are built again when $changed has changed', async ({ file, due }) => {
  await markBuilt()
  if (file !== undefined) writeFileSync(join(root, file), 'changed')
  expect(await started()).toEqual(due)
})
