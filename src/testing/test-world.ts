import { parseConfig } from '../config.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import type { ShopTerms } from '../shop/shop.ts'
import { type World, worldOf } from '../process/world.ts'

interface TestWorldOptions {
  readonly clock: Clock
  readonly random: Random
  readonly env?: Record<string, string>
  readonly providers?: Partial<World['providers']> | undefined
  readonly terms?: Partial<ShopTerms> | undefined
}

/** The world of the product, with some parts replaced. */
export function testWorld({ clock, random, env, providers, terms }: TestWorldOptions): World {
  const config = parseConfig({ SHOP_NAME: 'Test shop', DELIVERY: 'instant', SHOP_TIME_ZONE: 'Asia/Kolkata', ...env })
  const world = worldOf(config, { clock, random })
  return { ...world, providers: { ...world.providers, ...providers }, terms: { ...world.terms, ...terms } }
}
