import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startArguments } from './shop-process.ts'

it('starts the shop in the same way from the image and by npm start', () => {
  const image = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const [, ...words] = JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]') as string[]
  const program = words.pop() ?? ''
  expect(startArguments()).toEqual([...words, expect.stringMatching(new RegExp(`/${program}$`))])
})
