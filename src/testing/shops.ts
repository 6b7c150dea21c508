import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { GatewayName } from '../domain/payment-methods.ts'
import { type ProviderShop, type ProviderShopOptions, startProviderShop } from './start-provider-shop.ts'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

/** A shop that stops with its test. */
export const shopOfTest = async (options?: ShopOptions): Promise<TestShop> => stoppedAfter(startShop(options))

/** The same, with a double of its provider. */
export const providerOfTest = async <Name extends GatewayName>(
  name: Name,
  options?: ProviderShopOptions,
): Promise<ProviderShop<Name>> => stoppedAfter(startProviderShop(name, options))

/** One shop for all tests of a file or `describe`; call this in its body. */
export const suiteShop = (options?: ShopOptions): TestShop =>
  startedBy({ begin: beforeAll, end: afterAll }, async () => startShop(options))

export const suiteProvider = <Name extends GatewayName>(name: Name): ProviderShop<Name> =>
  startedBy({ begin: beforeAll, end: afterAll }, async () => startProviderShop(name))

/** A new shop for each test of a file or `describe`. */
export const shopOfEach = (options?: ShopOptions): TestShop =>
  startedBy({ begin: beforeEach, end: afterEach }, async () => startShop(options))

async function stoppedAfter<CommandContext extends TestShop>(
  starting: Promise<CommandContext>,
): Promise<CommandContext> {
  const shop = await starting
  onTestFinished(async () => shop.stop())
  return shop
}

function startedBy<CommandContext extends TestShop>(
  { begin, end }: { begin: typeof beforeAll | typeof beforeEach; end: typeof afterAll | typeof afterEach },
  start: () => Promise<CommandContext>,
): CommandContext {
  let shop: CommandContext | undefined
  begin(async () => {
    shop = await start()
  })
  end(async () => shop?.stop())
  const started = (): CommandContext => {
    if (!shop) throw new Error('the shop starts before the first test')
    return shop
  }
  return new Proxy({} as CommandContext, { get: (_, name) => Reflect.get(started(), name) as unknown })
}
