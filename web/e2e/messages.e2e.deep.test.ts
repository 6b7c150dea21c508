import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { MessageDoubles } from '../../src/messages/testing/message-doubles.ts'
import { freePort } from '../../src/ports/testing/free-port.ts'
import { channelId, newChannel, turnMessagesOff } from '../../src/shop/message-notes.ts'
import type { TestShop } from '../../src/testing/start-shop.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { phone, screenLooks, wide } from './looks.ts'
import { logInAt } from './owner.ts'
import { paidBy } from './paid-orders.ts'

const doubles = new MessageDoubles()
beforeAll(async () => void (await doubles.listen(await freePort())))
afterAll(async () => doubles.stop())

const openShop = async () => builtShop({ env: { DELIVERY: 'staff', ...doubles.env } })()

/** As a sender that was turned off would leave it. */
async function fare({ context: { vault } }: TestShop): Promise<void> {
  const lastError = {
    at: '2026-03-01T10:05:00.000Z',
    text: 'Discord takes no more messages for now; the shop sends on later.',
  }
  for (const [name, state] of [
    ['mail', { lastSentAt: '2026-03-01T10:00:00.000Z' }],
    ['discord', { lastError, givenUp: 1 }],
  ] as const) {
    const value = { ...newChannel('test', 'x'), ...state }
    const [note] = await vault.notes('state', [channelId(name)])
    await vault.writeNote('state', { id: channelId(name), value, due: undefined }, note?.version ?? 'absent')
  }
  for (const id of ['one', 'two', 'three'])
    await vault.writeNote('message', { id, value: { revisions: [1], attempts: 1, firstAt: 0 }, due: 0 }, 'absent')
  await turnMessagesOff(vault)
}

async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

const connections = async ({ metrics }: TestShop) => /^coinshop_push_connections (\d+)/m.exec(await metrics())?.[1]

describeInBrowser('messages', openShop, (stage) => {
  stage.walk('the owner reads how each way fares, sends a test and turns messages on', screenLooks, async (owner) => {
    await fare(stage.shop)
    const { page } = owner
    await logInAt(owner, '/admin/settings')
    const card = page.getByRole('region', { name: 'Messages' })
    await card.getByText('Last sent').first().waitFor()
    await card.getByText('Discord takes no more messages for now; the shop sends on later.').waitFor()
    await card.getByText('1 failed for a day and were given up.').waitFor()
    await card.getByText('3 failed and will be sent again.').waitFor()
    await owner.see('Admin Dashboard')

    await card.getByRole('button', { name: 'Turn on' }).click()
    await owner.toast('Messages are on').waitFor()
    await card.getByText('Messages are off').waitFor({ state: 'detached' })

    await card.getByRole('button', { name: 'Send a test by Telegram' }).click()
    await owner.toast('Test sent').waitFor()
    expect(doubles.telegram.messages.at(-1)?.body).toMatchObject({
      text: expect.stringContaining('A test of') as string,
    })

    doubles.discord.fail('keys', 1)
    await card.getByRole('button', { name: 'Send a test by Discord' }).click()
    await card.getByRole('alert').getByText('The test was not sent. Discord does not know the webhook').waitFor()
    await owner.see('Admin Dashboard')
  })

  stage.walk('the card names the variables where no way is set', wide, async (owner) => {
    await owner.page.route('**/api/admin/messages', async (route) =>
      route.fulfill({ json: { isOn: true, whyOff: null, ways: [] } }),
    )
    await logInAt(owner, '/admin/settings')
    await owner.says(/by mail \(SMTP_URL, MAIL_FROM, OWNER_MAIL\), Discord \(DISCORD_WEBHOOK_URL\) or Telegram/)
  })

  stage.walk("a hidden tab's title counts what waits, and the browser notifies of more", wide, async (owner) => {
    const { page } = owner
    await page.context().grantPermissions(['notifications'])
    await page.addInitScript(() => {
      const shown: string[] = []
      Object.assign(window, { shown })
      window.Notification = class extends EventTarget {
        static readonly permission = 'granted'
        static readonly requestPermission = async () => 'granted'
        constructor(title: string) {
          super()
          shown.push(title)
        }
        close(): void {}
      } as unknown as typeof Notification
    })
    const shown = async () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    await paidBy(stage.shop)
    await logInAt(owner, '/admin/settings')
    await expect.poll(async () => page.title()).toMatch(/^\(1\) Settings – Admin Dashboard/)
    await page.getByRole('checkbox', { name: /^Notify me of new work/ }).check()
    await paidBy(stage.shop, { customerEmail: 'misty@example.com' })
    await expect.poll(async () => page.title()).toMatch(/^\(2\) Settings/)
    expect(await shown()).toEqual([])

    await hide(page)
    await paidBy(stage.shop, { customerEmail: 'brock@example.com' })
    await expect.poll(async () => page.title()).toMatch(/^\(3\) Settings/)
    expect(await shown()).toEqual(['3 waiting in the shop'])
  })

  stage.walk('a hidden tab of a phone ends its connection', phone, async (owner) => {
    await logInAt(owner, '/admin/settings')
    await owner.says(/Mail to buyers/)
    expect(await owner.page.getByRole('checkbox', { name: /^Notify me/ }).count()).toBe(0)
    await expect.poll(async () => connections(stage.shop)).toBe('1')
    await hide(owner.page)
    await expect.poll(async () => connections(stage.shop)).toBe('0')
  })
})
