import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ADMIN_PASSWORD } from './buyers.ts'
import { describeUnless } from './describe-unless.ts'
import { provisionWith } from './engine-sets.ts'
import { startShopProcess } from './shop-process.ts'

const absent = ['bash', 'curl'].find((command) => spawnSync(command, ['--version']).status !== 0)
const run = promisify(execFile)
/** A value that the reader copies from an earlier response. */
const COPIED = /^(?<variable>[A-Z]+)=<the (?<field>\w+) from the answer>$/
const BEGINS = /^(curl|sleep|[A-Z]+=)/
/** Fails on any status but 2xx. `sleep` waits for the payment, however busy the machine is. */
const BASH = `
set -o pipefail
curl() { command curl --fail-with-body --max-time 20 "$@"; }
sleep() { until command curl -s "$SHOP/api/orders/$ORDER" | grep -q '"paymentStatus":"completed"'; do command sleep 0.2; done; }
`

/** The commands of the section, with continued lines joined. */
function commandsOf(readme: string): string[] {
  const section = readme.split('## A first order with curl\n')[1]?.split('\n## ')[0] ?? ''
  const commands: string[] = []
  for (const line of section.split('\n').filter((text) => text.startsWith('    '))) {
    const text = line.slice(4)
    if (BEGINS.test(text)) commands.push(text)
    else if (!text.startsWith('#')) commands.push(`${commands.pop() ?? ''}\n${text}`)
  }
  return commands
}

describeUnless(absent && `there is no ${absent}`, 'the first order of the README', () => {
  it('the commands of the README place, pay and deliver an order', { timeout: 120_000 }, async () => {
    const place = await provisionWith({})
    onTestFinished(() => place.remove())
    const shop = await startShopProcess({ ...place.env, ADMIN_PASSWORD, DELIVERY: 'staff', SANDBOX_DELAY_MS: '100' })
    onTestFinished(() => shop.kill())
    const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', SHOP: shop.url }
    const commands = commandsOf(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))
    expect(commands.length).toBeGreaterThan(10)
    let answer = ''
    for (const command of commands) {
      const { variable, field } = COPIED.exec(command)?.groups ?? {}
      if (variable !== undefined && field !== undefined) {
        env[variable] = String((JSON.parse(answer) as Record<string, unknown>)[field])
        continue
      }
      const script = command.replaceAll('localhost:3000', shop.url).replace('<printed>', ADMIN_PASSWORD)
      answer = (await run('bash', ['-c', BASH + script], { env })).stdout
      const comment = /# (".*)$/.exec(command)?.[1] ?? ''
      for (const said of comment.split(', ').filter(Boolean)) expect(answer).toContain(said)
    }
  })
})
