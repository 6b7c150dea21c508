import { type Config, parseConfig } from '../config.ts'
import { assertShop } from '../process/shop-engines.ts'

/** The configuration of a shop that is there. Throws `ConfigError` or `NoShop`. */
export async function configOfShop(): Promise<Config> {
  const config = parseConfig(process.env)
  await assertShop(config)
  return config
}
