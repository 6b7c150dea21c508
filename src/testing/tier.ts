const tiers = ['fast', 'deep', 'night'] as const

/** The tier of this test run, set by vitest.config.ts. */
const tier = tiers.find((one) => one === process.env['TIER']) ?? 'fast'

/** Returns the size of a test in this run's tier. */
export function sizeOf<Size>(sizes: { readonly fast: Size; readonly deep: Size; readonly night: Size }): Size {
  return sizes[tier]
}
