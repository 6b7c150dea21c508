import { type Config, parseConfig } from '../config.ts'
import { assertShop } from '../process/shop-engines.ts'

/** The configuration of an existing shop. Throws `ConfigError` or `NoShop`. */
export async function configOfShop(): Promise<Config> {
  const config = parseConfig(process.env)
  await assertShop(config)
  return config
}
