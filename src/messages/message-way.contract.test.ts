import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Message, MessageRefused, type MessageWay, WayAway, type WayName } from './message-way.ts'
import { DiscordDouble, TelegramDouble } from './testing/chat-doubles.ts'
import { SmtpDouble } from './testing/smtp-double.ts'
import { waysOf } from './ways.ts'

const doubles = { mail: SmtpDouble, discord: DiscordDouble, telegram: TelegramDouble }
type AnyDouble = SmtpDouble | DiscordDouble | TelegramDouble

/** What each double plays, whose fault it is, and what the owner reads of it. */
const failures: Readonly<Record<WayName, readonly [fault: string, is: 'away' | 'refused', says: RegExp][]>> = {
  mail: [
    ['login', 'away', /^The mail server refuses the login \(535\): set SMTP_URL to its user and password\.$/],
    ['login-later', 'away', /^The mail server takes no mails now \(454\); the shop tries again\.$/],
    ['busy', 'away', /^The mail server takes no mails now \(421\); the shop tries again\.$/],
    ['sender', 'away', /^The mail server refuses the sender \(553\): set MAIL_FROM to an address of that account\.$/],
    ['drop', 'away', /^No mail server answers at 127\.0\.0\.1:\d+: check SMTP_URL, or wait until it is back\.$/],
    ['lost', 'away', /^No mail server answers at 127\.0\.0\.1:\d+: /],
    ['recipient', 'refused', /^The mail server refuses the address of the recipient \(550\)\.$/],
    ['full', 'refused', /^The mailbox of the recipient is full \(452\)\.$/],
    ['full-at-end', 'refused', /^The mailbox of the recipient is full \(552\)\.$/],
    ['spam', 'refused', /^The mail server refuses this mail, perhaps as spam \(554\)\.$/],
  ],
  discord: [
    ['keys', 'away', /^Discord does not know the webhook: .* set DISCORD_WEBHOOK_URL to it\.$/],
    ['chat', 'away', /^Discord does not know the webhook: /],
    ['wait', 'away', /^Discord takes no more messages for now; the shop sends on later\.$/],
    ['500', 'away', /^Discord has a fault of its own \(500\); the shop tries again\.$/],
    ['html', 'away', /^Discord has a fault of its own \(502\)/],
    ['refused', 'refused', /^Discord refuses this message \(400\)\.$/],
  ],
  telegram: [
    ['keys', 'away', /^Telegram does not know the bot: set TELEGRAM_BOT_TOKEN to what @BotFather shows\.$/],
    ['chat', 'away', /^Telegram does not know the chat: .* check TELEGRAM_CHAT_ID\.$/],
    ['forbidden', 'away', /^The bot may not write to the chat: add it to the group again/],
    ['wait', 'away', /^Telegram takes no more messages for now; the shop sends on later\.$/],
    ['500', 'away', /^Telegram has a fault of its own \(500\); the shop tries again\.$/],
    ['refused', 'refused', /^Telegram refuses this message \(400\)\.$/],
  ],
}

const names = Object.keys(doubles) as WayName[]
const message: Message = {
  id: 'order-1.ready',
  to: undefined,
  subject: '1 order to hand over',
  text: '1 order to hand over: №7',
}
const BUYER = 'buyer@mail.example'

const failureOf = async (call: Promise<void>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe.for(names)('message way contract: %s', (name) => {
  let double: AnyDouble
  let way: MessageWay
  let nowMs: number

  const open = (timeoutMs?: number): MessageWay => {
    const [opened] = waysOf(parseConfig(double.env), {
      now: () => nowMs,
      sender: () => ({ name: 'Coinshop', replyTo: null }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    return opened as MessageWay
  }
  const accepted = (): number => (double instanceof SmtpDouble ? double.mails : double.messages).length
  const fail = (fault: string): void => double.fail(fault as never)

  beforeEach(async () => {
    nowMs = Date.parse('2026-03-01T10:00:00Z')
    double = await new doubles[name]({ now: () => nowMs }).listen()
    way = open()
  })
  afterEach(async () => {
    await way.close()
    await double.stop()
  })

  it('a message that was sent is accepted', async () => {
    await way.send(message)
    expect(accepted()).toBe(1)
  })

  it('a check signs in and sends nothing', async () => {
    await way.check()
    expect(accepted()).toBe(0)
  })

  it('the longest text is accepted', async () => {
    await way.send({ ...message, text: 'x'.repeat(way.textMax) })
    expect(accepted()).toBe(1)
  })

  it('messages at the pause of the way are never asked to wait', async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      await way.send(message)
      nowMs += way.pauseMs
    }
    expect(accepted()).toBe(40)
  })

  it.for(failures[name])(
    'a send that fails by %s is %s, for a reason that names cause and way out',
    async ([fault, is, says]) => {
      fail(fault)
      const failed = await failureOf(way.send({ ...message, ...(name === 'mail' && { to: BUYER }) }))
      expect(failed).toBeInstanceOf(is === 'away' ? WayAway : MessageRefused)
      expect((failed as Error).message).toMatch(says)
      const secrets = [...Object.values(double.env), 'p@ss/of the double', 'token-of-the-double', BUYER]
      for (const secret of secrets) expect(String((failed as Error).stack)).not.toContain(secret)
      double.recover()
      nowMs += 60_000
      await open().send(message)
    },
  )

  it('a check fails where the keys are refused', async () => {
    fail(name === 'mail' ? 'login' : 'keys')
    expect(await failureOf(way.check())).toMatchObject({
      name: 'WayAway',
      message: expect.stringMatching(failures[name][0]?.[2] ?? /never/) as string,
    })
  })

  it('a way that does not answer ends both calls in time', async () => {
    fail('slow')
    const slow = open(600)
    const failed = await failureOf(slow.send(message))
    expect(failed).toBeInstanceOf(WayAway)
    expect((failed as Error).message).toMatch(/does not answer/)
    if (name !== 'mail') expect(await failureOf(slow.check())).toBeInstanceOf(WayAway)
    await slow.close()
  })

  it('a way that is off the network is away', async () => {
    await double.stop()
    expect(await failureOf(way.send(message))).toMatchObject({
      name: 'WayAway',
      message: expect.stringMatching(/answer/) as string,
    })
    expect(await failureOf(way.check())).toMatchObject({
      name: 'WayAway',
      message: expect.stringMatching(/answer/) as string,
    })
  })

  it('forty messages at once end: accepted, or asked to wait', async () => {
    const sent = await Promise.allSettled(Array.from({ length: 40 }, async () => way.send(message)))
    const failed = sent.filter(({ status }) => status === 'rejected')
    expect(accepted() + failed.length).toBe(40)
    for (const { reason } of failed as PromiseRejectedResult[]) expect((reason as WayAway).waitMs).toBeGreaterThan(0)
    if (double instanceof SmtpDouble) expect([failed.length, double.mostAtOnce]).toEqual([0, 10])
  })
})
