import { parseConfig } from '../config.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import { type World, worldOf } from '../process/world.ts'

interface TestWorldOptions {
  readonly clock: Clock
  readonly random: Random
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly providers?: Partial<World['providers']> | undefined
}

/** The world of the product, with some parts replaced. */
export function testWorld({ clock, random, env, providers }: TestWorldOptions): World {
  const config = parseConfig({
    PAYMENTS: 'sandbox',
    SHOP_NAME: 'Test shop',
    DELIVERY: 'instant',
    DELIVERY_WEBHOOK_URL: 'http://127.0.0.1:9/bot',
    DELIVERY_WEBHOOK_SECRET: 'a secret of the bot, for tests only',
    SHOP_TIME_ZONE: 'Asia/Kolkata',
    ...env,
  })
  // Tests play the bot themselves.
  const world = { ...worldOf(config, { clock, random }), deliveryCall: undefined }
  return { ...world, providers: { ...world.providers, ...providers } }
}
