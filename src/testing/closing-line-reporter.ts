import type { Reporter, TestModule } from 'vitest/node'
import { SKIPPED } from '../ports/testing/missing.ts'

/** Ends every run with the suites that this machine cannot run, and one line for people and CI: `N passed, N failed, N skipped`. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      // A file that fails to load has no tests, but is still a failure.
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed') count[state] += 1
        else count.skipped += 1
      }
    }
    const suites = modules.flatMap((module) => [...module.children.allSuites()])
    const skipped = suites.filter(({ name }) => name.includes(SKIPPED))
    process.stdout.write(skipped.map(({ fullName }) => `\n${fullName}`).join(''))
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
  }
}
