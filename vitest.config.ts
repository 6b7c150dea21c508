import { defineConfig } from 'vitest/config'
import { lucideIcons } from './web/build/icons.ts'

/** The suffix of each tier's test files: `npm test`, `npm run test:deep`, `npm run test:night` (docs/tests.md). */
const suffixes = { fast: 'test', deep: 'deep.test', night: 'night.test' }
const FOLDERS = '{src,simulation,bench,loadtests,web}'

/** A tier's walks are a separate project, because they need the built screens. */
function projectsOf(tier: keyof typeof suffixes, size: string) {
  const ended = suffixes[tier]
  const others = tier === 'fast' ? [`**/*.{${suffixes.deep},${suffixes.night}}.ts`] : []
  const walks = `**/*.e2e.${ended}.ts`
  const project = (name: string, include: string, exclude: string[], setup: string[]) => ({
    extends: true as const,
    test: { name, include: [include], exclude: [...others, ...exclude], globalSetup: setup, env: { TIER: size } },
  })
  return [
    project(tier, `${FOLDERS}/**/*.${ended}.ts`, [walks], []),
    project(`${tier} walks`, `web/e2e/${walks}`, [], ['web/e2e/build-once.ts']),
  ]
}

export default defineConfig(({ mode }) => ({
  plugins: [lucideIcons()],
  test: {
    // Far longer than any test takes on a busy machine. The default of `poll` is one second.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    reporters: ['default', './src/testing/closing-line-reporter.ts'],
    // The night tier runs all tests at its own size.
    projects: (['fast', 'deep', 'night'] as const).flatMap((tier) => projectsOf(tier, mode === 'night' ? mode : tier)),
  },
}))
