import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseConfig } from '../../config.ts'
import { DiscordDouble, TelegramDouble } from '../../messages/testing/chat-doubles.ts'
import { SmtpDouble } from '../../messages/testing/smtp-double.ts'
import { findingLine } from './finding.ts'
import { lookAtMessages } from './messages.ts'

let smtp: SmtpDouble
let discord: DiscordDouble
let telegram: TelegramDouble
beforeEach(async () => {
  smtp = await new SmtpDouble().listen()
  discord = await new DiscordDouble().listen()
  telegram = await new TelegramDouble().listen()
})
afterEach(async () => {
  for (const double of [smtp, discord, telegram]) await double.stop()
})

const spf = async (): Promise<string[][]> => [['another=1'], ['v=spf1 include:mail.', 'example -all']]
const failing = (code: string) => async (): Promise<string[][]> => {
  throw Object.assign(new Error(code), { code })
}

const look = async (env: Record<string, string>, texts = spf): Promise<string[]> =>
  (await lookAtMessages(parseConfig(env), texts)).map(findingLine)

it('the doctor signs in to each way and sends nothing', async () => {
  expect(await look({ ...smtp.env, ...discord.env, ...telegram.env })).toEqual([
    'ok    mail: it answers and accepts the keys',
    'ok    discord: it answers and accepts the keys',
    'ok    telegram: it answers and accepts the keys',
    'ok    sender: SPF found, DKIM not known',
  ])
  expect([smtp.mails, discord.messages, telegram.messages]).toEqual([[], [], []])
})

it('the doctor says which way refuses the keys, and what to do', async () => {
  smtp.fail('login', 1)
  telegram.fail('chat', 1)
  const [mail, chat] = await look({ ...smtp.env, ...telegram.env })
  expect(mail).toMatch(
    /^must {2}mail: no message gets through -> The mail server refuses the login \(535\): set SMTP_URL/,
  )
  expect(chat).toMatch(/^must {2}telegram: no message gets through -> Telegram does not know the chat: /)
})

it.for<[code: string, line: string]>([
  [
    'ENODATA',
    'note  sender: SPF missing, DKIM not known -> mails may land in spam: add the SPF record of your mail provider to the DNS of shop.example',
  ],
  ['ENOTFOUND', 'ok    sender: SPF not known (DNS here has no shop.example), DKIM not known'],
  ['ETIMEOUT', 'ok    sender: SPF not known (no DNS server answers: ETIMEOUT), DKIM not known'],
  ['ECONNREFUSED', 'ok    sender: SPF not known (no DNS server answers: ECONNREFUSED), DKIM not known'],
])('where DNS answers %s, the doctor does not claim more', async ([code, line]) => {
  expect(await look(smtp.env, failing(code))).toContain(line)
})

it('the doctor says that no way is set, and that messages are off', async () => {
  expect(await look({})).toEqual([
    'note  messages: no way is set -> docs/notifications.md says how the owner learns of orders',
  ])
  expect(await look({ ...discord.env, MESSAGES: 'off' })).toContain(
    'note  messages: off -> MESSAGES is off: remove it so that messages go out',
  )
})
