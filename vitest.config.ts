import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'loadtests/**/*.test.ts', 'web/**/*.test.ts'],
    // What takes three seconds here takes half a minute on a machine that is ten times slower; the default of `poll` is one second.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    reporters: ['default', './src/testing/closing-line-reporter.ts'],
  },
})
