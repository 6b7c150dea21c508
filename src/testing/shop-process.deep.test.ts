import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startArguments, startShopProcess } from './shop-process.ts'

it('starts the shop in the same way from the image and by npm start', () => {
  const image = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const [, ...words] = JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]') as string[]
  const program = words.pop() ?? ''
  expect(startArguments()).toEqual([...words, expect.stringMatching(new RegExp(`/${program}$`))])
})

it('leaves no process behind that did not start in time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-late-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const error = await startShopProcess({ DATA_DIR: folder }, { startTimeoutMs: 1 }).then(() => undefined, String)
  const [, pid] = /process (\d+), it took too long/.exec(error ?? '') ?? []
  expect(Number(pid)).toBeGreaterThan(0)
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
})
