import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import { isLoopback } from '../config.ts'
import { inTime } from '../ports/in-time.ts'
import { MessageRefused, type MessageWay, WayAway } from './message-way.ts'

export interface Sender {
  /** The shop's name. */
  readonly name: string
  /** Where answers go; null for the sender's own address. */
  readonly replyTo: string | null
}

interface SmtpOptions {
  readonly url: string
  readonly from: string
  readonly owner: string | undefined
  readonly sender: () => Sender
  /** Of one message, with what it takes to connect. */
  readonly timeoutMs: number
}

/** One address, without what has a meaning in a list of addresses. */
const PLAIN_ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u
const TEXT_MAX = 100_000
const AT_ONCE_MAX = 10
/** Servers close idle connections, some after 30 s. */
const IDLE_MS = 20_000

/** Sends mails by the owner's mail server. */
export function smtpWay({ url, from, owner, sender, timeoutMs }: SmtpOptions): MessageWay {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isHere = isLoopback(hostname)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'smtps:' ? 465 : 587)),
    secure: protocol === 'smtps:',
    requireTLS: !isHere,
    // A mail server on this machine rarely has a certificate for its loopback name.
    tls: { rejectUnauthorized: !isHere },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: AT_ONCE_MAX,
    // The caller repeats: it counts how often a message may have been sent.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const place = `${hostname}${port === '' ? '' : `:${port}`}`
  return {
    name: 'mail',
    textMax: TEXT_MAX,
    pauseMs: 0,
    async send({ id, to, subject, text, html }) {
      const recipient = to ?? owner
      if (recipient === undefined)
        throw new MessageRefused('No address of the owner is set: set OWNER_MAIL to get messages by mail.')
      if (!PLAIN_ADDRESS.test(recipient)) throw new MessageRefused('What the recipient gave is no e-mail address.')
      const { name, replyTo } = sender()
      const mail = {
        from: { name, address: from },
        to: { name: '', address: recipient },
        ...(replyTo !== null && PLAIN_ADDRESS.test(replyTo) && { replyTo: { name: '', address: replyTo } }),
        envelope: { from: { address: from }, to: { address: recipient } },
        messageId: `<${id}@${domainToASCII(from.slice(from.lastIndexOf('@') + 1))}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        xMailer: false as const,
        subject,
        text,
        ...(html !== undefined && { html }),
        signal: AbortSignal.timeout(timeoutMs),
      }
      await transport.sendMail(mail).catch((error: unknown) => {
        throw failureOf(error, place)
      })
    },
    async check() {
      const late = { code: 'ETIMEDOUT' }
      const failed = await inTime(
        transport.verify().then(
          () => undefined,
          (error: unknown) => error,
        ),
        timeoutMs,
        late,
      )
      if (failed !== undefined) throw awayBy(failed, place)
    },
    close: async () => transport.close(),
  }
}

interface SmtpFailure {
  readonly code?: string
  /** The code of Node's own error, such as ECONNREFUSED. */
  readonly originalCode?: string
  readonly responseCode?: number
  readonly command?: string
}

const FULL = new Set([422, 452, 552])
/** The server ends the connection, or cannot check a password now. */
const NOT_NOW = new Set([421, 454])

/** The server's own words may hold the recipient, so only their code is shown. */
function failureOf(error: unknown, place: string): WayAway | MessageRefused {
  const { command, responseCode = 0 } = error as SmtpFailure
  const isOfMessage =
    (command === 'RCPT TO' || command === 'DATA') && responseCode >= 400 && !isLoginAsked(responseCode)
  if (!isOfMessage || NOT_NOW.has(responseCode)) return awayBy(error, place)
  if (FULL.has(responseCode)) return new MessageRefused(`The mailbox of the recipient is full (${responseCode}).`)
  const what = command === 'DATA' ? 'this mail, perhaps as spam' : 'the address of the recipient'
  return new MessageRefused(`The mail server refuses ${what} (${responseCode}).`)
}

function awayBy(error: unknown, place: string): WayAway {
  const { code, originalCode, responseCode = 0, command } = error as SmtpFailure
  const answered = responseCode === 0 ? '' : ` (${responseCode})`
  if ((code === 'EAUTH' && (responseCode < 400 || responseCode >= 500)) || isLoginAsked(responseCode))
    return new WayAway(`The mail server refuses the login${answered}: set SMTP_URL to its user and password.`)
  if (code === 'ETLS' || isOfTls(originalCode))
    return new WayAway(
      `The mail server at ${place} has no TLS that can be trusted: try smtps:// and its port in SMTP_URL, or have its certificate renewed.`,
    )
  if (code === 'EDNS') return new WayAway(`There is no host ${place}: correct SMTP_URL.`)
  if (command === 'MAIL FROM' && responseCode >= 500)
    return new WayAway(`The mail server refuses the sender${answered}: set MAIL_FROM to an address of that account.`)
  if (responseCode > 0) return new WayAway(`The mail server takes no mails now${answered}; the shop tries again.`)
  if (code === 'ETIMEDOUT' || code === 'EABORT')
    return new WayAway(`The mail server at ${place} does not answer in time: check SMTP_URL, or wait until it is back.`)
  return new WayAway(`No mail server answers at ${place}: check SMTP_URL, or wait until it is back.`)
}

function isLoginAsked(responseCode: number): boolean {
  return [530, 534, 535, 538].includes(responseCode)
}

/** Certificate errors of Node, and a plain server at an encrypted port. */
function isOfTls(code: string | undefined): boolean {
  return code !== undefined && /CERT|^ERR_(TLS|SSL)|^EPROTO$|LEAF_SIGNATURE/.test(code)
}
