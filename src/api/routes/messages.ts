import { Refusal } from '../../domain/refusal.ts'
import { MessageRefused, WayAway, type WayName } from '../../messages/message-way.ts'
import { readMessages, turnMessagesOn } from '../../shop/message-notes.ts'
import { shopName } from '../../shop/shop-facts.ts'
import type { Api } from '../api.ts'
import { messagesState, messagesTurnedOn, messagesTurnOn, messageTest, messageTested } from '../contract/messages.ts'
import { type Route, staffRoute } from '../http/route.ts'

export function messageRoutes(api: Api): Route[] {
  const { context, messages, messageTestLimit } = api
  const { vault, log, config } = context
  return [
    staffRoute({
      id: 'readMessages',
      method: 'get',
      path: '/api/admin/messages',
      summary: 'The ways to reach owner and buyers: the last success or error of each, and whether messages are on.',
      answers: messagesState,
      async handle() {
        const { whyOff, ways } = await readMessages(context, messages.ways)
        return { body: { isOn: whyOff === null, whyOff, ways } }
      },
    }),

    staffRoute({
      id: 'testMessages',
      method: 'post',
      path: '/api/admin/messages/test',
      summary: 'Send a test to the owner by one way, also while messages are off.',
      body: messageTest,
      answers: messageTested,
      async handle({ body, networks }) {
        await messageTestLimit.consume(networks)
        await sendTest(api, body.way)
        return { body: { ok: true as const } }
      },
    }),

    staffRoute({
      id: 'turnMessagesOn',
      method: 'post',
      path: '/api/admin/messages/on',
      summary: 'Messages go out again, of what happens from now on.',
      body: messagesTurnOn,
      answers: messagesTurnedOn,
      async handle() {
        if (config.MESSAGES === 'off')
          throw new Refusal('message/switched-off', 'MESSAGES is off: remove the variable and start the shop again.')
        return { body: await turnMessagesOn({ vault, log, logId: messages.logId }, config.PUBLIC_URL) }
      },
    }),
  ]
}

async function sendTest({ context, messages }: Api, name: WayName): Promise<void> {
  const way = messages.ways.find((one) => one.name === name)
  if (way === undefined) throw new Refusal('message/way-not-set', 'The variables of this way are not set.')
  const shop = shopName(context)
  const text = `A test of ${shop}: messages of this shop reach you here. ${context.config.PUBLIC_URL}/admin`
  try {
    await way.send({ id: `test-${context.random.uuid()}`, to: undefined, subject: `${shop}: a test`, text })
  } catch (error) {
    if (!(error instanceof WayAway || error instanceof MessageRefused)) throw error
    throw new Refusal('message/not-sent', error.message)
  }
}
