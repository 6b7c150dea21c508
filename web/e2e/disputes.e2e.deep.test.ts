import { expect } from 'vitest'
import { clipboardOf } from './clipboard.ts'
import { builtShopAt, describeInBrowser } from './in-browser.ts'
import { phone, wide } from './looks.ts'
import { logInAt } from './owner.ts'

const NOTE = 'Given to ash at the fountain'

describeInBrowser('disputes', builtShopAt('paypal'), (stage) => {
  stage.walk('a dispute, from its webhook to the copied and the printed evidence', [wide, phone], async (owner) => {
    const { shop } = stage
    const { orderId, paymentId } = await shop.opened({ paymentMethod: 'paypal' })
    await shop.double.act(paymentId, { do: 'approve' })
    await shop.capture(orderId, paymentId)
    const { orderNumber } = await shop.order(orderId)
    const { page } = owner

    await logInAt(owner, `/admin/orders/${orderId}`)
    const details = page.getByRole('dialog', { name: `Order Details - ${String(orderNumber)}` })
    await details.getByRole('button', { name: 'Mark delivered' }).click()
    const question = page.getByRole('dialog', { name: 'Mark this order delivered?' })
    await question.getByLabel('Note (optional)').fill(NOTE)
    await question.getByLabel('Show it to the buyer').check()
    await owner.see('Admin Dashboard')
    await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
    await question.waitFor({ state: 'detached' })

    expect(await shop.double.act(paymentId, { do: 'dispute' })).toEqual([200])
    // The clock of the shop stands at the first of January.
    await details.getByText('Payment disputed, due 11 Jan.').waitFor()
    await owner.see('Admin Dashboard')
    await details.getByRole('button', { name: 'Copy evidence' }).click()
    await expect.poll(async () => clipboardOf(owner)).toContain(`Order: ${String(orderNumber)}, 50M`)
    const evidence = await clipboardOf(owner)
    for (const fact of [
      'E-mail: ash@example.com',
      'Discord username: ash',
      'Market IDs: 12345678 (50M)',
      '(seller protection: Yes)',
      /^Marked as delivered: 1 Jan 2026, .* by Staff$/m,
      `Delivery note: ${NOTE}`,
      'Payment provider: The payer disputes payment 1 at its provider; an answer is due by 2026-01-11.',
    ])
      expect(evidence).toMatch(fact)

    await page.emulateMedia({ media: 'print' })
    expect((await page.locator('body').innerText()).trim()).toBe(evidence)
    const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g)
    expect(pages).toHaveLength(1)
    await page.emulateMedia({ media: 'screen' })

    await page.goto('/admin')
    await owner.heading('Admin Dashboard').waitFor()
    await owner.says('1 order needs a person')
    await page.goto('/admin/orders')
    await owner.says('payment disputed, due 11 Jan')
    await owner.see('Admin Dashboard')
  })
})
