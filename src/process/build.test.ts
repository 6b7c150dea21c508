import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildOf } from './build.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'

it('a build has its commit from the environment, else from the checkout, else none', () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }')
  expect(buildOf(commit, folder)).toEqual({ version: '1.2.3', commit: '0123456789ab' })
  expect(buildOf(undefined, folder)).toEqual({ version: '1.2.3', commit: 'unknown' })
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' })
  git('init', '-q')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one')
  expect(buildOf(undefined, folder).commit).toBe(git('rev-parse', 'HEAD').slice(0, 12))
})
