import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Message } from './message-way.ts'
import { type Sender, smtpWay } from './smtp.ts'
import { SmtpDouble } from './testing/smtp-double.ts'

let double: SmtpDouble
let sender: Sender
const opened: ReturnType<typeof smtpWay>[] = []

beforeEach(async () => {
  sender = { name: 'Coinshop', replyTo: 'help@shop.example' }
  double = await new SmtpDouble().listen()
})
afterEach(async () => {
  for (const way of opened.splice(0)) await way.close()
  await double.stop()
})

function wayTo({
  env = double.env,
  timeoutMs = 14_000,
  ...options
}: { env?: SmtpDouble['env']; owner?: string | undefined; timeoutMs?: number } = {}) {
  const owner = 'owner' in options ? options.owner : 'owner@shop.example'
  const way = smtpWay({ url: env.SMTP_URL, from: env.MAIL_FROM, owner, sender: () => sender, timeoutMs })
  opened.push(way)
  return way
}

const mail: Message = {
  id: 'order-1.paid',
  to: 'buyer@mail.example',
  subject: 'Your order is paid',
  text: 'Your order is paid.',
  html: '<p>Your order is <b>paid</b>.</p>',
}

/** Header fields as a reader unfolds them. */
function headersOf(raw = ''): Map<string, string> {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
}

it('a mail names the shop, its support and itself, and holds text and HTML', async () => {
  const way = wayTo()
  await way.send(mail)
  await way.send(mail)
  const [first, again] = double.mails
  expect(first).toMatchObject({ from: 'orders@shop.example', to: ['buyer@mail.example'] })
  expect(Object.fromEntries(headersOf(first?.raw))).toMatchObject({
    From: 'Coinshop <orders@shop.example>',
    To: 'buyer@mail.example',
    'Reply-To': 'help@shop.example',
    Subject: 'Your order is paid',
    'Message-ID': '<order-1.paid@shop.example>',
    'Auto-Submitted': 'auto-generated',
  })
  expect(first?.raw).toContain('\r\nYour order is paid.\r\n')
  expect(first?.raw).toContain('<p>Your order is <b>paid</b>.</p>')
  expect(headersOf(again?.raw).get('Message-ID')).toBe('<order-1.paid@shop.example>')
})

it('a domain with letters beyond ASCII is written as DNS has it', async () => {
  const env = { ...double.env, MAIL_FROM: 'orders@münzen.example' }
  await wayTo({ env }).send(mail)
  const headers = headersOf(double.mails[0]?.raw)
  expect(headers.get('Message-ID')).toBe('<order-1.paid@xn--mnzen-kva.example>')
  expect(headers.get('From')).toBe('Coinshop <orders@xn--mnzen-kva.example>')
})

it("the owner's mail goes to OWNER_MAIL, and is refused without it", async () => {
  await wayTo().send({ ...mail, to: undefined })
  expect(double.mails).toMatchObject([{ to: ['owner@shop.example'] }])
  await expect(wayTo({ owner: undefined }).send({ ...mail, to: undefined })).rejects.toThrow('set OWNER_MAIL')
})

it('one recipient that is always refused stops no other mail', async () => {
  double.refused.add('full@mail.example')
  const way = wayTo()
  const sent = await Promise.allSettled(
    ['a@mail.example', 'full@mail.example', 'b@mail.example'].map(async (to) => way.send({ ...mail, to })),
  )
  expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(double.mails.flatMap(({ to }) => to).sort()).toEqual(['a@mail.example', 'b@mail.example'])
})

it('ten mails that the server never answers hold up no later one', async () => {
  const way = wayTo({ timeoutMs: 2_000 })
  double.fail('slow', 10)
  const sent = await Promise.allSettled(Array.from({ length: 10 }, async () => way.send(mail)))
  expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'))
  await way.send(mail)
})

const HOSTILE = [
  'Shop\r\nBcc: victim@evil.example',
  'Shop\nBcc: victim@evil.example\n\nSecond body',
  'Shop", victim@evil.example, "',
  'Shop <victim@evil.example>',
  'Shop>, <victim@evil.example',
  'Münzen \u202E\u0000 & ünïcode =?utf-8?Q?x?=',
]

it.for(HOSTILE)('a shop name or subject of %j adds no header and no recipient', async (text) => {
  sender = { name: text, replyTo: null }
  await wayTo().send({ ...mail, subject: text })
  const [received] = double.mails
  expect(double.mails).toHaveLength(1)
  expect([received?.from, ...(received?.to ?? [])]).toEqual(['orders@shop.example', 'buyer@mail.example'])
  const headers = headersOf(received?.raw)
  expect([...headers.keys()].sort()).toEqual([
    'Auto-Submitted',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
  ])
  // The name is one quoted or encoded word before one address.
  expect(headers.get('From')).toMatch(/^(?:"(?:[^"\\]|\\.)*"|[\w=?.&*-]+(?: [\w=?.&*-]+)*) <orders@shop\.example>$/)
})

it.for([
  'a@mail.example, victim@evil.example',
  'a@mail.example\r\nRCPT TO:<victim@evil.example>',
  'a@mail.example>\r\nDATA',
  '"a, victim@evil.example"@mail.example',
  'Buyer <victim@evil.example>',
  'group: victim@evil.example;',
  'victim@evil.example@mail.example',
  '\u0000a@mail.example',
])('an e-mail of %j is sent nowhere', async (to) => {
  await expect(wayTo().send({ ...mail, to })).rejects.toThrow('no e-mail address')
  expect(double.mails).toEqual([])
})

it.for<[support: string, header: RegExp]>([
  ['help@shop.example\r\nBcc: victim@evil.example', /^$/],
  ['help@shop.example, victim@evil.example', /^$/],
  ["o'neil+help@münzen.example", /^o'neil\+help@xn--mnzen-kva\.example$/],
])('a support e-mail of %j adds no header and no address', async ([replyTo, header]) => {
  sender = { name: 'Coinshop', replyTo }
  await wayTo().send(mail)
  const headers = headersOf(double.mails[0]?.raw)
  expect(headers.has('Bcc')).toBe(false)
  expect(headers.get('Reply-To') ?? '').toMatch(header)
})

it.for([false, true])('a server elsewhere without trusted TLS (offered: %s) sees no password', async (hasTls) => {
  const open = await new SmtpDouble({ hasTls }).listen()
  // An address of this machine that is not its loopback.
  const way = wayTo({ env: open.envAt('0.0.0.0') })
  for (const call of [way.check(), way.send(mail)])
    await expect(call).rejects.toThrow(/^The mail server at 0\.0\.0\.0:\d+ has no TLS that can be trusted: try smtps:/)
  expect([open.passwords, open.mails]).toEqual([[], []])
  await open.stop()
})

it('a server on this machine may have a certificate of its own making', async () => {
  const own = await new SmtpDouble({ hasTls: true }).listen()
  await wayTo({ env: own.env }).send(mail)
  expect(own.mails).toHaveLength(1)
  await own.stop()
})
