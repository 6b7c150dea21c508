import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import type { Config } from '../../config.ts'
import { type MessageWay, WayAway } from '../../messages/message-way.ts'
import { waysOf } from '../../messages/ways.ts'
import { systemClock } from '../../process/system.ts'
import { ASK_MS, type Finding, runCheck } from './finding.ts'

const DNS_MS = 2_000
/** The texts (TXT records) of a name, each in pieces. */
type TextsOf = (name: string) => Promise<readonly (readonly string[])[]>

/** Checks each way to reach people, and whether the sender's domain allows the mails. */
export async function lookAtMessages(config: Config, textsOf: TextsOf = askDns): Promise<Finding[]> {
  const { MAIL_FROM, MESSAGES, SHOP_NAME: name } = config
  const sender = () => ({ name, replyTo: null })
  const ways = waysOf(config, { now: () => systemClock.now(), sender, timeoutMs: ASK_MS - 1_000 })
  if (ways.length === 0)
    return [
      { part: 'messages', facts: 'no way is set', note: 'docs/notifications.md says how the owner learns of orders' },
    ]
  const findings = await Promise.all(ways.map(async (way) => runCheck(way.name, async () => lookAt(way))))
  if (MAIL_FROM !== undefined) findings.push(await runCheck('sender', async () => lookAtSender(MAIL_FROM, textsOf)))
  if (MESSAGES === 'off')
    findings.push({ part: 'messages', facts: 'off', note: 'MESSAGES is off: remove it so that messages go out' })
  return findings
}

async function lookAt(way: MessageWay): Promise<Omit<Finding, 'part'>> {
  try {
    await way.check()
    return { facts: 'it answers and accepts the keys' }
  } catch (error) {
    if (error instanceof WayAway) return { facts: 'no message gets through', must: error.message }
    throw error
  } finally {
    await way.close()
  }
}

async function lookAtSender(from: string, textsOf: TextsOf): Promise<Omit<Finding, 'part'>> {
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1))
  const found = await spfOf(domain, textsOf)
  return {
    // A DKIM record stands under a selector, which only the mail server knows.
    facts: `SPF ${found}, DKIM not known`,
    note:
      found === 'missing'
        ? `mails may land in spam: add the SPF record of your mail provider to the DNS of ${domain}`
        : undefined,
  }
}

async function spfOf(domain: string, textsOf: TextsOf): Promise<string> {
  try {
    const texts = await textsOf(domain)
    return texts.some((pieces) => /^v=spf1( |$)/i.test(pieces.join(''))) ? 'found' : 'missing'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'ENODATA') return 'missing'
    return `not known (${code === 'ENOTFOUND' ? `DNS here has no ${domain}` : `no DNS server answers: ${code}`})`
  }
}

const askDns: TextsOf = async (name) => new Resolver({ timeout: DNS_MS, tries: 2 }).resolveTxt(name)
