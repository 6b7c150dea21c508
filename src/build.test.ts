import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { buildOf } from './build.ts'
import { newFolder, removeFolder } from './testing/shop-folder.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'
const short = '0123456789ab'

it.for([
  { what: 'a branch', files: { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` } },
  {
    what: 'packed branches',
    files: { '.git/HEAD': 'ref: refs/heads/main', '.git/packed-refs': `# pack-refs\n${commit} refs/heads/main` },
  },
  { what: 'a commit', files: { '.git/HEAD': commit } },
])('finds its commit in a checkout of $what', ({ files }) => {
  expect(buildOf(undefined, folderWith(files))).toEqual({ version: '1.2.3', commit: short })
})

it('takes its commit from the environment where there is no checkout', () => {
  const folder = folderWith({})
  expect(buildOf(commit, folder)).toEqual({ version: '1.2.3', commit: short })
  expect(buildOf(undefined, folder)).toEqual({ version: '1.2.3', commit: 'unknown' })
})

function folderWith(files: Readonly<Record<string, string | undefined>>): string {
  const folder = newFolder()
  onTestFinished(() => removeFolder(folder))
  mkdirSync(join(folder, '.git/refs/heads'), { recursive: true })
  for (const [name, text = ''] of Object.entries({ 'package.json': '{ "version": "1.2.3" }', ...files }))
    writeFileSync(join(folder, name), text)
  return folder
}
