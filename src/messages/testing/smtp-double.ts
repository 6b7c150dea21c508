import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { freePort } from '../../ports/testing/free-port.ts'
import { Faults } from './faults.ts'

export const mailFaults = [
  'login',
  'login-later',
  'sender',
  'recipient',
  'full',
  'full-at-end',
  'spam',
  'busy',
  'slow',
  'drop',
  'lost',
] as const
export type MailFault = (typeof mailFaults)[number]

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

const answers = {
  login: [535, 'Error: authentication failed'],
  'login-later': [454, 'Temporary authentication failure'],
  sender: [553, 'Sender address rejected: not owned by user'],
  recipient: [550, 'mailbox unavailable'],
  full: [452, 'The recipient is out of storage'],
  'full-at-end': [552, 'Mailbox full'],
  spam: [554, 'Message rejected as spam'],
  busy: [421, 'Too busy, try again later'],
} as const

const USER = 'shop'
const PASSWORD = 'p@ss/of the double'

interface SmtpDoubleOptions {
  /** Offers STARTTLS, with a certificate that no client trusts. */
  readonly hasTls?: boolean
}

/** A mail server that delivers nothing. It keeps each mail as it came. */
export class SmtpDouble extends Faults<MailFault> {
  readonly mails: ReceivedMail[] = []
  /** Recipients that are refused at any time. */
  readonly refused = new Set<string>()
  /** Passwords that it was shown. */
  readonly passwords: string[] = []
  /** Most mails that were underway at the same time. */
  mostAtOnce = 0
  private atOnce = 0
  private port = 0
  private readonly server: SMTPServer

  constructor({ hasTls = false }: SmtpDoubleOptions = {}) {
    super(mailFaults)
    this.server = new SMTPServer({
      disabledCommands: hasTls ? [] : ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      onConnect: (session, done) => (this.take('drop') ? this.drop(session.id) : done()),
      onAuth: ({ username, password }, _session, done) => {
        this.passwords.push(String(password))
        const fault =
          this.take('login', 'login-later') ?? (username === USER && password === PASSWORD ? undefined : 'login')
        if (fault === undefined) return done(null, { user: USER })
        done(this.refusal(fault, 'the login'))
      },
      onMailFrom: ({ address }, _session, done) => done(this.refusal(this.take('sender', 'busy'), address)),
      onRcptTo: ({ address }, _session, done) =>
        done(this.refusal(this.refused.has(address) ? 'recipient' : this.take('recipient', 'full'), address)),
      onData: (stream, session, done) => void this.receive(stream, session, done),
    })
    // A client that ends its connection is none of the double's errors.
    this.server.on('error', () => undefined)
  }

  get env() {
    return this.envAt('127.0.0.1')
  }

  envAt(host: string) {
    return {
      SMTP_URL: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@${host}:${this.port}`,
      MAIL_FROM: 'orders@shop.example',
      OWNER_MAIL: 'owner@shop.example',
    }
  }

  async listen(port?: number): Promise<this> {
    this.port = port ?? (await freePort())
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening')
    return this
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  private async receive(stream: Readable, session: SMTPServerSession, done: (error: Error | null) => void) {
    this.atOnce += 1
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce)
    // A client that is killed ends a mail before its end.
    const raw = await text(stream).catch(() => undefined)
    // Mails overlap.
    await sleep(5)
    this.atOnce -= 1
    if (raw === undefined) return done(new Error('The mail has no end.'))
    const refused = this.take('spam', 'full-at-end')
    if (refused !== undefined) return done(this.refusal(refused, 'the message'))
    const { mailFrom, rcptTo } = session.envelope
    this.mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw })
    if (this.take('lost')) return this.drop(session.id)
    if (!this.take('slow')) done(null)
  }

  private refusal(fault: MailFault | undefined, what: string): Error | null {
    if (fault === undefined || !(fault in answers)) return null
    const [responseCode, words] = answers[fault as keyof typeof answers]
    return Object.assign(new Error(`${words} <${what}>`), { responseCode })
  }

  private drop(id: string): void {
    for (const connection of this.server.connections) if (connection.id === id) connection.close()
  }
}
