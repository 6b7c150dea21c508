import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'loadtests/**/*.test.ts', 'web/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The default of a second is too short for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    reporters: ['default', './src/testing/closing-line-reporter.ts'],
  },
})
