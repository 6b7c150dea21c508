import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('all parts are ended, even when one has already ended', () => {
  const script = `
    import { endAtExit } from ${JSON.stringify(new URL('leftovers.ts', import.meta.url).href)}
    endAtExit(() => process.kill(-2147483647, 'SIGKILL'))
    endAtExit(() => process.stdout.write('ended'))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stdout).toBe('ended')
})
