import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runProgram } from '../src/cli/testing/run-cli.ts'
import { scriptNames } from './run/scripts.ts'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

const ended = async (program: string, words: readonly string[], env: Record<string, string> = {}) =>
  runProgram(program, words, { PATH: '/nowhere', HOME: '/nowhere', ...env })
const load = async (...words: string[]) => ended(process.execPath, [RUN, ...words])

it('the help of npm run load lists scripts and exit codes', async () => {
  const { code, stdout } = await load('--help')
  expect(code).toBe(0)
  for (const name of [...scriptNames, '--servers', 'Exit codes']) expect(stdout).toContain(name)
})

it('npm run load rejects an unknown script in one line', async () => {
  const { code, stderr } = await load('stock-rash')
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
  expect(stderr).toMatch(/'stock-rash' is invalid for argument 'NAME'\. Allowed choices are browse, /)
})

it('npm run load says in one line where k6 comes from', async () => {
  const { code, stderr } = await load('browse')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^there is no k6: go install .+\n$/) })
})
