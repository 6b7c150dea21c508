import type { Round } from '../figures.ts'
import { newFolder, removeFolder } from '../folders.ts'
import type { Options } from '../options.ts'
import { type BenchShop, startBenchShop } from '../processes.ts'

/** Measures one checkout once, in new folders. */
export type Scenario = (root: string, options: Options) => Promise<Round>

/** Runs `work` on a new shop and stops it; then `after` sees its folder before that is removed. */
export async function withNewShop(
  root: string,
  { profile }: Options,
  work: (shop: BenchShop) => Promise<Round>,
  { env, after }: { env?: Readonly<Record<string, string>>; after?: (folder: string) => Promise<void> } = {},
): Promise<Round> {
  const folder = await newFolder()
  const shop = await startBenchShop(root, folder, { profile, ...(env && { env }) })
  let round: Round
  try {
    round = await work(shop)
  } finally {
    await shop.stop()
  }
  await after?.(folder)
  await removeFolder(folder)
  return round
}
