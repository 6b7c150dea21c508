import { afterAll, beforeAll, expect, it } from 'vitest'
import { DiscordDouble } from '../../messages/testing/chat-doubles.ts'
import { SmtpDouble } from '../../messages/testing/smtp-double.ts'
import { channelId, type ChannelState, newChannel, turnMessagesOff } from '../../shop/message-notes.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

const MESSAGES = '/api/admin/messages'

let smtp: SmtpDouble
let discord: DiscordDouble
let shop: TestShop
let token: string

beforeAll(async () => {
  smtp = await new SmtpDouble().listen()
  discord = await new DiscordDouble().listen()
  const { OWNER_MAIL: _noOwner, ...mail } = smtp.env
  shop = await startShop({ env: { ...mail, ...discord.env, RATE_LIMIT: 'on', SHOP_NAME: "Otto's coins" } })
  token = await shop.logIn()
})
afterAll(async () => {
  await shop.stop()
  await smtp.stop()
  await discord.stop()
})
const test = async (way: string) => shop.post(`${MESSAGES}/test`, { way }, { token })

it('staff read how each way fares, and nothing that is secret', async () => {
  const [lastSentAt, at] = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:05:00.000Z']
  const lastError = { at, text: 'Discord does not know the webhook.' }
  const { vault } = shop.context
  const value: ChannelState = { ...newChannel('test', 'x'), lastSentAt, lastError, givenUp: 1 }
  await vault.writeNote('state', { id: channelId('discord'), value, due: undefined }, 'absent')
  const failed = { revisions: [3], attempts: 1, firstAt: shop.now() }
  await vault.writeNote('message', { id: 'some-order', value: failed, due: shop.now() + 60_000 }, 'absent')
  const { body } = await shop.get(MESSAGES, { token })
  const buyers = { name: 'buyers', lastSentAt: null, lastError: null, waiting: 1, givenUp: 0 }
  const ways = [buyers, { name: 'discord', lastSentAt, lastError, waiting: 0, givenUp: 1 }]
  expect(body).toEqual({ isOn: true, whyOff: null, ways })
  const page = JSON.stringify(body)
  for (const secret of [...Object.values(smtp.env), ...Object.values(discord.env)]) expect(page).not.toContain(secret)
})

it('messages that are off are turned on, unless the variable switches them off', async () => {
  await turnMessagesOff(shop.context.vault)
  expect((await shop.get(MESSAGES, { token })).body).toMatchObject({ isOn: false, whyOff: 'turned-off' })
  expect((await shop.post(`${MESSAGES}/on`, {}, { token })).body).toEqual({ passedOver: expect.any(Number) as number })
  expect((await shop.get(MESSAGES, { token })).body).toMatchObject({ isOn: true, whyOff: null })
  const silent = await startShop({ env: { MESSAGES: 'off' } })
  const owner = { token: await silent.logIn() }
  expect((await silent.get(MESSAGES, owner)).body).toMatchObject({ isOn: false, whyOff: 'variable' })
  expect(await silent.post(`${MESSAGES}/on`, {}, owner)).toMatchObject({
    status: 409,
    body: { code: 'message/switched-off', message: expect.stringContaining('remove the variable') as string },
  })
  await silent.stop()
})

it('a test reaches the owner by the way that was asked, or says why not, a few times a minute', async () => {
  expect(await test('discord')).toMatchObject({ status: 200, body: { ok: true } })
  expect(discord.messages).toMatchObject([
    { body: { content: expect.stringMatching(/^A test of Otto's coins: /) as string } },
  ])
  expect(await test('telegram')).toMatchObject({ status: 409, body: { code: 'message/way-not-set' } })
  expect(await test('mail')).toMatchObject({
    status: 409,
    body: {
      code: 'message/not-sent',
      message: 'No address of the owner is set: set OWNER_MAIL to get messages by mail.',
    },
  })
  discord.fail('keys', 1)
  expect((await test('discord')).body).toMatchObject({
    message: expect.stringMatching(/does not know the webhook/) as string,
  })
  expect(await test('discord')).toMatchObject({ status: 200 })
  expect(await test('discord')).toMatchObject({ status: 429, body: { code: 'request/too-many' } })
  expect(discord.messages).toHaveLength(2)
})
