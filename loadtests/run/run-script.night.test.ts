import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { type LoadOptions, runScript } from './run-script.ts'
import { scriptNames } from './scripts.ts'
import { k6ForTests } from './testing/k6-for-tests.ts'

const k6 = k6ForTests()
const TIMEOUT = { timeout: 300_000 }
/** A few seconds of each, at rates that any machine can follow. */
const small = {
  browse: { size: 5, pushConnections: 30 },
  'place-orders': { size: 5 },
  'stock-rush': { size: 150 },
  'pay-by-webhook': { size: 1 },
  'admin-dashboard': { size: 3, seeded: 200 },
  flood: { size: 100, seconds: 6 },
  soak: { size: 5 },
} as const
const WRONG_SHOP = fileURLToPath(new URL('testing/wrong-shop.ts', import.meta.url))

/** The broken promises, and the runner's output. */
async function load(name: (typeof scriptNames)[number], options: Partial<LoadOptions> = {}) {
  const said: string[] = []
  const say = (text: string): number => said.push(text)
  const broken = await runScript(name, { k6: k6 ?? '', seconds: 3, isTimed: false, ...small[name], say, ...options })
  return { broken, said: said.join('\n') }
}

/** Preloaded into the processes of the shop. */
const forgetful = { env: { NODE_OPTIONS: `--import=${WRONG_SHOP}` } }

describeUnless(k6 === undefined ? 'there is no k6' : undefined, 'the load tests', () => {
  it.for(scriptNames)('%s keeps what it promises on any machine', TIMEOUT, async (name) => {
    const { broken, said } = await load(name)
    expect(broken).toEqual([])
    expect(said).toMatch(/^ok {4}books: /m)
  })

  it('place-orders finds an order that was acknowledged and not kept', TIMEOUT, async () => {
    const { broken } = await load('place-orders', forgetful)
    expect(broken).toContainEqual(expect.stringMatching(/^order .+ was acknowledged and is not in the log$/))
  })
})
