import { expect, it } from 'vitest'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { runScript } from './run-script.ts'
import { scriptNames } from './scripts.ts'
import { k6ForTests } from './testing/k6-for-tests.ts'

const k6 = k6ForTests()
const TIMEOUT = { timeout: 300_000 }
/** A few seconds of each, at rates that any machine can follow. */
const small = {
  browse: { size: 5, pushConnections: 30 },
  buy: { size: 5 },
  'stock-rush': { size: 150 },
  'pay-by-webhook': { size: 1 },
  flood: { size: 100, seconds: 6 },
} as const

/** The broken promises, and the runner's output. */
async function load(name: (typeof scriptNames)[number]) {
  const said: string[] = []
  const say = (text: string): number => said.push(text)
  const broken = await runScript(name, { k6: k6 ?? '', seconds: 3, isTimed: false, ...small[name], say })
  return { broken, said: said.join('\n') }
}

describeUnless(k6 === undefined ? 'there is no k6' : undefined, 'the load tests', () => {
  it.for(scriptNames)('%s keeps what it promises on any machine', TIMEOUT, async (name) => {
    const { broken, said } = await load(name)
    expect(broken).toEqual([])
    expect(said).toMatch(/^\d+ orders acknowledged$/m)
  })
})
