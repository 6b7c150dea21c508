import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { describeUnless } from '../src/testing/describe-unless.ts'
import { k6ForTests } from './run/testing/k6-for-tests.ts'
import { scriptNames } from './run/scripts.ts'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))
const SCRIPT = fileURLToPath(new URL('browse.ts', import.meta.url))
const k6 = k6ForTests()

interface Ended {
  readonly code: number
  readonly said: string
  readonly errors: string
}

async function ended(program: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { PATH: '/nowhere', HOME: '/nowhere', ...env }
    execFile(program, words, { env: all }, (error, said, errors) =>
      resolve({ code: Number(error?.code ?? 0), said, errors }),
    )
  })
}

const load = async (...words: string[]) => ended(process.execPath, [RUN, ...words])

describe('npm run load', () => {
  it('names its scripts and exit codes when it is asked for help', async () => {
    const { code, said } = await load('--help')
    expect(code).toBe(0)
    for (const name of [...scriptNames, '--servers', 'Exit codes']) expect(said).toContain(name)
  })

  it('refuses wrong words in one line', async () => {
    const { code, errors } = await load('stock-rash')
    expect({ code, lines: errors.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
    expect(errors).toMatch(/^NAME is one of browse, .+, not 'stock-rash'/)
  })

  it('says in one line where k6 comes from', async () => {
    const { code, errors } = await load('browse')
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(/^there is no k6: go install .+\n$/) })
  })
})

describeUnless(k6 === undefined ? 'there is no k6' : undefined, 'a load script', () => {
  it('refuses a shop that is not on this machine', async () => {
    const { code, errors } = await ended(k6 ?? '', ['run', '--quiet', SCRIPT], { SHOP_URL: 'https://shop.example' })
    expect(code).not.toBe(0)
    expect(errors).toContain('https://shop.example is not this machine')
  })
})
