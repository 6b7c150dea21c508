import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { startArguments } from './testing/shop-process.ts'

it.each([
  { argument: '--help', code: 0 },
  { argument: '--port', code: 2 },
])('says how it is used and ends with $code, asked with $argument', async ({ argument, code }) => {
  const child = spawn(process.execPath, [...startArguments(), argument], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([code, null])
})
