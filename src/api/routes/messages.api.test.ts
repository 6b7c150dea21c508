import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DiscordDouble } from '../../messages/testing/chat-doubles.ts'
import { SmtpDouble } from '../../messages/testing/smtp-double.ts'
import type { MessagesDesk, MessagesState } from '../../shop/messages-desk.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

const MESSAGES = '/api/admin/messages'

let smtp: SmtpDouble
let discord: DiscordDouble
let shop: TestShop
let token: string
let kept: MessagesState

const desk: MessagesDesk = {
  read: async () => kept,
  async turnOn() {
    kept = { ...kept, whyOff: null }
    return { passedOver: 12 }
  },
}

beforeAll(async () => {
  smtp = await new SmtpDouble().listen()
  discord = await new DiscordDouble().listen()
  const { OWNER_MAIL: _noOwner, ...mail } = smtp.env
  shop = await startShop({ desk, env: { ...mail, ...discord.env, RATE_LIMIT: 'on', SHOP_NAME: "Otto's coins" } })
  token = await shop.logIn()
})
afterAll(async () => {
  await shop.stop()
  await smtp.stop()
  await discord.stop()
})
beforeEach(() => {
  const mail = {
    name: 'mail',
    lastSentAt: '2026-03-01T10:00:00.000Z',
    lastError: null,
    waiting: 0,
    givenUp: 0,
  } as const
  const lastError = { at: '2026-03-01T10:05:00.000Z', text: 'Discord does not know the webhook.' }
  kept = { whyOff: null, ways: [mail, { name: 'discord', lastSentAt: null, lastError, waiting: 3, givenUp: 1 }] }
})

const test = async (way: string) => shop.post(`${MESSAGES}/test`, { way }, { token })

it('staff read how each way fares, and nothing that is secret', async () => {
  const { body } = await shop.get(MESSAGES, { token })
  expect(body).toEqual({ isOn: true, whyOff: null, ways: kept.ways })
  const page = JSON.stringify(body)
  for (const secret of [...Object.values(smtp.env), ...Object.values(discord.env)]) expect(page).not.toContain(secret)
})

it('messages that are off are turned on, unless the variable switches them off', async () => {
  kept = { ...kept, whyOff: 'another-address' }
  expect((await shop.get(MESSAGES, { token })).body).toMatchObject({ isOn: false, whyOff: 'another-address' })
  expect((await shop.post(`${MESSAGES}/on`, {}, { token })).body).toEqual({ passedOver: 12 })
  kept = { ...kept, whyOff: 'variable' }
  expect(await shop.post(`${MESSAGES}/on`, {}, { token })).toMatchObject({
    status: 409,
    body: { code: 'message/switched-off', message: expect.stringContaining('remove the variable') as string },
  })
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
