import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

/** A shop that stops with its test. */
export async function shopOfTest(options?: ShopOptions): Promise<TestShop> {
  const shop = await startShop(options)
  onTestFinished(async () => shop.stop())
  return shop
}

/** One shop for all tests of a file or of a `describe`, in whose body this is called. */
export const suiteShop = (options?: ShopOptions): TestShop => startedBy({ begin: beforeAll, end: afterAll }, options)

/** A new one for each of them. */
export const shopOfEach = (options?: ShopOptions): TestShop => startedBy({ begin: beforeEach, end: afterEach }, options)

function startedBy(
  { begin, end }: { begin: typeof beforeAll | typeof beforeEach; end: typeof afterAll | typeof afterEach },
  options?: ShopOptions,
): TestShop {
  let shop: TestShop | undefined
  begin(async () => {
    shop = await startShop(options)
  })
  end(async () => shop?.stop())
  const started = (): TestShop => {
    if (!shop) throw new Error('the shop starts before the first test')
    return shop
  }
  return new Proxy({} as TestShop, { get: (_, name) => Reflect.get(started(), name) as unknown })
}
