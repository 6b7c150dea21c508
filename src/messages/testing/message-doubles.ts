import { once } from 'node:events'
import type { Server } from 'node:http'
import express from 'express'
import { DiscordDouble, TelegramDouble } from './chat-doubles.ts'
import { SmtpDouble } from './smtp-double.ts'

/** The doubles of all ways, and their control by `npm run shop -- doubles`. */
export class MessageDoubles {
  readonly mail = new SmtpDouble()
  readonly discord = new DiscordDouble()
  readonly telegram = new TelegramDouble()
  private control: Server | undefined

  get env(): Readonly<Record<string, string>> {
    return { ...this.mail.env, ...this.discord.env, ...this.telegram.env }
  }

  /** Takes four ports: that of the control, then one of each way. */
  async listen(port: number): Promise<this> {
    const app = express().use(express.text({ type: () => true }))
    app.get('/control/:way/calls', ({ params }, response) => {
      const double = this.double(params.way)
      response.json(double instanceof SmtpDouble ? double.mails : double?.messages)
    })
    app.post('/control/:way/answers', (request, response) => {
      const double = this.double(request.params.way)
      const { answer, times = 1 } = JSON.parse(String(request.body)) as { answer?: string; times?: number }
      const fault = double?.kinds.find((kind) => kind === answer)
      if (double === undefined || fault === undefined)
        return void response.status(422).json({ message: `an answer is one of ${double?.kinds.join(', ')}` })
      double.fail(fault as never, times)
      response.json({ answer, times })
    })
    this.control = app.listen(port, '127.0.0.1')
    await once(this.control, 'listening')
    for (const [offset, double] of [this.mail, this.discord, this.telegram].entries())
      await double.listen(port + 1 + offset)
    return this
  }

  async stop(): Promise<void> {
    this.control?.closeAllConnections()
    this.control?.close()
    for (const double of [this.mail, this.discord, this.telegram]) await double.stop()
  }

  private double(way: string): SmtpDouble | DiscordDouble | TelegramDouble | undefined {
    return way === 'mail' || way === 'discord' || way === 'telegram' ? this[way] : undefined
  }
}
