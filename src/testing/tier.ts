const tiers = ['fast', 'deep', 'night'] as const

/** How much a test run may take: vitest.config.ts sets it. */
const tier = tiers.find((one) => one === process.env['TIER']) ?? 'fast'

/** The size of a test in this run, by tier. */
export function sizeOf<Size>(sizes: { readonly fast: Size; readonly deep: Size; readonly night: Size }): Size {
  return sizes[tier]
}
