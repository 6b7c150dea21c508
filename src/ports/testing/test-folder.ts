import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'coinshop-test-'))
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

/** A new folder, removed when the test that is running has ended. */
export function testFolder(): string {
  const folder = newFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** A new folder for all tests of a file or of a `describe`, in whose body this is called. */
export function suiteFolder(): string {
  const folder = newFolder()
  afterAll(() => remove(folder))
  return folder
}

/** What a backup of a stopped shop is; removed with the test. */
export function copyOf(folder: string): string {
  const copy = testFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}
