import { expect } from 'vitest'
import type { Act } from '../../src/payments/testing/double.ts'
import type { Buyer } from './buyer.ts'
import { clipboardOf } from './clipboard.ts'
import { narrow } from './looks.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'

const QUOTE_MS = 21 * 60_000

const fact = async ({ page }: Buyer, term: RegExp) =>
  page.getByRole('term').filter({ hasText: term }).locator('xpath=..').getByRole('definition').innerText()

async function chooseCoin({ page, press }: Buyer, label: string): Promise<void> {
  const others = page.getByText('Pay with another coin')
  if (!(await page.getByLabel('Coin and network').isVisible())) await others.click()
  await page.getByLabel('Coin and network').selectOption({ label })
  await press('Pay with this coin')
}

async function copies(buyer: Buyer, what: string, text: string): Promise<void> {
  await buyer.button(`Copy ${what}`).click()
  await expect.poll(async () => clipboardOf(buyer)).toBe(text)
}

async function paid({ page, heading }: Buyer): Promise<void> {
  await page.waitForURL(/\/confirm$/)
  await heading('Your payment is safe.').waitFor()
}

describeInBrowser('crypto by NOWPayments', builtShopAt('nowpayments'), (stage) => {
  async function act(what: Act, paymentId = latest()): Promise<void> {
    expect(await stage.shop.double.act(paymentId, what)).not.toContain(503)
  }

  function latest(): string {
    return stage.shop.double.paymentIds().at(-1) ?? ''
  }

  /** A walk that starts at the panel with the first address. */
  function paying(title: string, walk: (buyer: Buyer, orderId: string) => Promise<void>): void {
    stage.walk(title, narrow, async (buyer) => {
      const orderId = await buyer.placeOrder({ quantity: '50' })
      await buyer.chooseMethod('Crypto')
      await buyer.button('Copy Litecoin address').waitFor()
      await walk(buyer, orderId)
    })
  }

  paying('a buyer pays in full', async (buyer) => {
    await buyer.page.getByRole('img', { name: /^QR code: pay 0\.02647059 LTC/ }).waitFor()
    expect(await buyer.page.getByText(/^This code holds/).count()).toBe(0)
    await copies(buyer, 'Litecoin amount', '0.02647059')
    await copies(buyer, 'Litecoin address', stage.shop.double.known(latest()).address)
    await buyer.says(/^This amount is quoted until/, /^Reserved for you until/, 'send no real money')
    await buyer.see('Pay by Crypto')
    await act({ do: 'confirming' })
    await buyer.says('The network confirms your payment, usually in 5-15 minutes.', 'Please send nothing more.')
    expect(await buyer.button('Copy Litecoin address').count()).toBe(0)
    await buyer.see('Pay by Crypto')
    await act({ do: 'pay' })
    await paid(buyer)
  })

  paying('a buyer who paid too little sends the rest to the same address', async (buyer, orderId) => {
    await act({ do: 'short' })
    await buyer.says('$1.12 of $2.25 arrived. Please send the rest to this address.')
    await expect.poll(async () => fact(buyer, /^Still to send$/)).toMatch(/^0\.01329412 LTC/)
    await buyer.page.getByRole('img', { name: /^QR code: pay 0\.01329412 LTC/ }).waitFor()
    await copies(buyer, 'Litecoin amount', '0.01329412')
    await buyer.press('I have paid: check now')
    await buyer.toast('Partial payment received - please complete the full amount').waitFor()
    expect(new URL(buyer.page.url()).pathname).toBe(`/order/${orderId}/payment`)
    await buyer.see('Pay by Crypto')
    await buyer.page.goto(`/order/${orderId}`)
    await buyer.says('Part of your payment arrived. Please pay the rest.')
    expect(await buyer.page.getByText(/A person at the shop/).count()).toBe(0)
    await buyer.page.goBack()
    await buyer.button('Copy Litecoin address').waitFor()
    await act({ do: 'again', amount: '0.01329412' })
    await paid(buyer)
    expect((await stage.shop.order(orderId))['attention']).toBeNull()
  })

  paying('a buyer gets a fresh quote when the first expires, and the former address still counts', async (buyer) => {
    const former = latest()
    stage.shop.advance(QUOTE_MS)
    await buyer.says('This quote has run out')
    expect(await buyer.button('Copy Litecoin address').count()).toBe(0)
    await buyer.see('Pay by Crypto')
    await buyer.press('Get a fresh quote')
    await buyer.says('Money that you have sent to an address shown here before counts as well.')
    await copies(buyer, 'Litecoin address', stage.shop.double.known(latest()).address)
    expect(latest()).not.toBe(former)
    await act({ do: 'confirming' }, former)
    await buyer.says('Please send nothing more.')
    // It may have been another coin.
    expect(await buyer.page.getByText('usually in').count()).toBe(0)
    await act({ do: 'pay' }, former)
    await paid(buyer)
  })

  paying('a buyer pays in another coin over one network, with its memo and above its minimum', async (buyer) => {
    await chooseCoin(buyer, 'USDT on Ethereum (ERC20)')
    await buyer.says('This coin takes no less than 12.00 USD.')
    // The open payment stays.
    await buyer.button('Copy Litecoin address').waitFor()
    await chooseCoin(buyer, 'USDT on Tron (TRC20)')
    await buyer.button('Copy USDT address').waitFor()
    await buyer.says('This code holds the address only. Enter the amount yourself.')
    expect(await fact(buyer, /^Over this network only$/)).toBe('Tron (TRC20)')
    expect(await fact(buyer, /^Send exactly$/)).toMatch(/^2\.250000 USDT/)
    await buyer.see('Pay by Crypto')

    await chooseCoin(buyer, 'XRP on XRP Ledger')
    await buyer.says('Do not leave out the destination tag')
    await copies(buyer, 'destination tag', latest().slice(-6))
    await buyer.page.getByRole('img', { name: 'QR code: the XRP address beside it' }).waitFor()
    await buyer.says('This code holds the address only. Enter the amount and the destination tag yourself.')
    expect(await buyer.page.getByRole('link', { name: 'Open in a wallet' }).count()).toBe(0)
    await buyer.see('Pay by Crypto')
    // A reload keeps the payment.
    const shown = latest()
    await buyer.page.reload()
    await buyer.button('Copy destination tag').waitFor()
    expect(latest()).toBe(shown)
    // The duration of this network is unknown.
    await act({ do: 'confirming' })
    await buyer.says('The network confirms your payment.')
    expect(await buyer.page.getByText(/minutes/).count()).toBe(0)
  })

  paying('the page says that a payment failed, or that it arrived in another coin', async (buyer) => {
    await act({ do: 'failed' })
    await buyer.button('Get a fresh address').waitFor()
    expect(await buyer.page.getByText(/failed|not successful|expired/i).count()).toBe(2)
    await buyer.page.getByRole('link', { name: 'Choose another method' }).waitFor()
    await buyer.see('Pay by Crypto')
    await buyer.press('Get a fresh address')
    await buyer.button('Copy Litecoin address').waitFor()
    await act({ do: 'again', coin: 'usdttrc20', amount: '5' })
    await buyer.says('Money has arrived in another coin', 'View Order Status')
    expect(await buyer.button('Copy Litecoin address').count()).toBe(0)
    expect(await buyer.page.getByText(/^You pay|^Payment seen/).count()).toBe(0)
    await buyer.see('Payment')
  })
})
