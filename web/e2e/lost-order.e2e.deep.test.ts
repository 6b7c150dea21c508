import { afterAll, beforeAll, expect } from 'vitest'
import { SmtpDouble } from '../../src/messages/testing/smtp-double.ts'
import { sendingFrom } from '../../src/testing/sending.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { phone, screenLooks, wide } from './looks.ts'
import { logInAsOwner } from './owner.ts'
import { paidBy } from './paid-orders.ts'

const smtp = new SmtpDouble()
beforeAll(async () => void (await smtp.listen()))
afterAll(async () => smtp.stop())

const openShop = async () => builtShop({ env: { DELIVERY: 'staff', ...smtp.env } })()

/** The first address of this kind in the newest mail to this person. */
function linkTo(person: string, kind: RegExp): string {
  const raw = smtp.mails.findLast(({ to }) => to.includes(person))?.raw ?? ''
  const [link = ''] = kind.exec(raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? []
  return new URL(link).href.slice(new URL(link).origin.length)
}

describeInBrowser('messages that lead back', openShop, (stage) => {
  stage.walk('a buyer who lost the browser finds the order by its e-mail', screenLooks, async (buyer, look) => {
    const { page, press, says } = buyer
    const send = await sendingFrom(stage.shop)
    const orderId = await paidBy(stage.shop)
    await page.goto('/contact')
    await page.getByRole('link', { name: 'Find it by its e-mail address' }).click()
    await press('Send me the links')
    await says('Enter your e-mail address')
    await buyer.see('Find your order')
    await page.getByLabel('E-mail address of the order').fill('ash@example.com')
    await press('Send me the links')
    await says('Look into your mailbox')
    await buyer.see('Find your order')

    await expect
      .poll(async () => (await stage.shop.context.vault.dueNotes('message', { before: Infinity, limit: 1 })).length)
      .toBe(1)
    await send()
    await page.goto(linkTo('ash@example.com', /http\S+#open=[\w.-]+/))
    await says('This is your order', 'a…@e….com')
    expect(page.url()).not.toContain('open=')
    await buyer.see(/Order/)
    await press('Open my order here')
    await says('ash@example.com')
    await page.reload()
    await says('ash@example.com')

    await stage.visit(stage.shop, look, async (friend) => {
      await friend.page.goto(`/order/${orderId}`)
      await friend.says('a…@e….com')
    })
  })

  stage.walk(
    'the mail about a payment opens the order, as long as it has not ended',
    wide,
    async ({ page, press, says, toast }) => {
      const send = await sendingFrom(stage.shop)
      await paidBy(stage.shop)
      await send()
      const link = linkTo('ash@example.com', /http\S+#open=[\w.-]+/)
      stage.shop.advance(31 * 86_400_000)
      await page.goto(link)
      await press('Open my order here')
      await toast('Not opened').waitFor()
      await says('This link has ended')
    },
  )

  stage.walk('a shop without mail says how to find an order', wide, async (buyer) => {
    const { page, says } = buyer
    await stage.shop.context.vault.writeNote(
      'state',
      { id: 'switch', value: { publicUrl: '', isOn: false }, due: undefined },
      'absent',
    )
    await page.goto('/find-order')
    await says('This shop sends no e-mails.')
    await buyer.see('Find your order')
  })

  stage.walk("the owner's night by phone: from the message to the coins", phone, async (owner) => {
    const { page } = owner
    const send = await sendingFrom(stage.shop)
    const orderId = await paidBy(stage.shop)
    await send()
    await page.goto(linkTo('owner@shop.example', /http\S+\/admin\/orders\/[\w-]+/))
    await logInAsOwner(owner)
    const order = page.getByRole('dialog')
    await order.getByRole('button', { name: 'Mark delivered' }).click()
    await page
      .getByRole('dialog', { name: 'Mark this order delivered?' })
      .getByRole('button', { name: 'Mark delivered', exact: true })
      .click()
    await owner.toast('Marked delivered').waitFor()
    await expect.poll(async () => (await stage.shop.get(`/api/orders/${orderId}`)).body['status']).toBe('completed')
  })
})
