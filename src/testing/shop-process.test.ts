import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startArguments } from './shop-process.ts'

it('starts the shop in the same way from the image and by npm start', () => {
  const image = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const [, ...words] = JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]') as string[]
  const program = words.pop() ?? ''
  expect(startArguments()).toEqual([...words, expect.stringMatching(new RegExp(`/${program}$`))])
  // Young objects die young here, and what is old is little: no heap may grow to many times of it.
  expect(words).toEqual(['--min-semi-space-size=8', '--max-semi-space-size=12', '--heap-growing-percent=40'])
})
