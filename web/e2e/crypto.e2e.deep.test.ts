import { beforeEach, expect, it } from 'vitest'
import type { Act } from '../../src/payments/testing/double.ts'
import { type ProviderShop, startProviderShop } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { copied } from './clipboard.ts'
import { describeInBrowser } from './in-browser.ts'

const QUOTE_MS = 21 * 60_000
const POLLED_FOR_MS = 30 * 60_000

const narrow = { width: 360, colorScheme: 'dark' } as const

const fact = ({ page }: Buyer, term: RegExp) =>
  page.getByRole('term').filter({ hasText: term }).locator('xpath=..').getByRole('definition')

async function chooseCoin({ page, press }: Buyer, label: string): Promise<void> {
  await page.getByText('Pay with another coin').click()
  await page.getByLabel('Coin and network').selectOption({ label })
  await press('Pay with this coin')
}

describeInBrowser('coins by NOWPayments, played by its double', (stage) => {
  let live: ProviderShop<'nowpayments'>

  beforeEach(async () => {
    const config = { webFolder: stage.webFolder() }
    live = await startProviderShop('nowpayments', { engines: 'sqlite', config, policy: { deliveryMode: 'staff' } })
    return async () => live.stop()
  })

  async function act(what: Act, paymentId = latest()): Promise<void> {
    expect(await live.double.act(paymentId, what)).not.toContain(503)
  }

  function latest(): string {
    return live.double.paymentIds().at(-1) ?? ''
  }

  async function handedOver(buyer: Buyer, orderId: string): Promise<void> {
    await buyer.page.waitForURL(/\/confirm$/)
    await buyer.see('Your payment is safe.')
    expect(await live.post('/api/process-order', { orderId }, { token: await live.logIn() })).toMatchObject({
      status: 200,
    })
    await buyer.see('The coins are yours.')
  }

  async function visit(walk: (buyer: Buyer) => Promise<void>): Promise<void> {
    await stage.visit(live, narrow, walk)
  }

  /** Begins at the panel, with the first address on it. */
  async function paying(walk: (buyer: Buyer, orderId: string) => Promise<void>): Promise<void> {
    await visit(async (buyer) => {
      const orderId = await buyer.placeOrder({ quantity: '50' })
      await buyer.chooseMethod('Crypto')
      await buyer.button('Copy Litecoin address').waitFor()
      await walk(buyer, orderId)
    })
  }

  it('are paid in full, and handed over', async () => {
    await paying(async (buyer, orderId) => {
      await buyer.page.getByRole('img', { name: /^QR code: pay 0\.02647059 LTC/ }).waitFor()
      expect(await buyer.page.getByText(/^This code holds/).count()).toBe(0)
      await buyer.button('Copy Litecoin amount').click()
      await expect.poll(async () => copied(buyer)).toBe('0.02647059')
      await buyer.button('Copy Litecoin address').click()
      await expect.poll(async () => copied(buyer)).toBe(live.double.known(latest()).address)
      await buyer.page.getByText(/^This amount is quoted until/).waitFor()
      await buyer.page.getByText(/^Reserved for you until/).waitFor()
      await buyer.see('Pay by Crypto')
      await act({ do: 'confirming' })
      await buyer.page.getByText('The network confirms your payment, usually in 5-15 minutes.').waitFor()
      await buyer.page.getByText('Please send nothing more.').waitFor()
      await buyer.see('Pay by Crypto')
      await act({ do: 'pay' })
      await handedOver(buyer, orderId)
    })
  })

  it('come short, and the rest arrives at the same address', async () => {
    await paying(async (buyer, orderId) => {
      await act({ do: 'short' })
      await buyer.page.getByText('$1.12 of $2.25 arrived. Please send the rest to this address.').waitFor()
      await expect.poll(async () => fact(buyer, /^Still to send$/).innerText()).toMatch(/^0\.01329412 LTC/)
      await buyer.page.getByRole('img', { name: /^QR code: pay 0\.01329412 LTC/ }).waitFor()
      await buyer.button('Copy Litecoin amount').click()
      await expect.poll(async () => copied(buyer)).toBe('0.01329412')
      await buyer.see('Pay by Crypto')
      await act({ do: 'again', amount: '0.01329412' })
      await handedOver(buyer, orderId)
      expect((await live.order(orderId))['attention']).toBeNull()
    })
  })

  it('are quoted afresh once the quote has run out, and the former address still counts', async () => {
    await paying(async (buyer, orderId) => {
      const former = latest()
      live.advance(QUOTE_MS)
      await buyer.page.getByText('This quote has run out').waitFor()
      expect(await buyer.button('Copy Litecoin address').count()).toBe(0)
      await buyer.see('Pay by Crypto')
      await buyer.press('Get a fresh quote')
      await buyer.toast('Fresh quote').waitFor()
      await buyer.button('Copy Litecoin address').click()
      await expect.poll(async () => copied(buyer)).toBe(live.double.known(latest()).address)
      expect(latest()).not.toBe(former)
      await buyer.page.getByText('Money that you have sent to an address shown here before counts as well.').waitFor()
      await buyer.see('Pay by Crypto')
      await act({ do: 'confirming' }, former)
      await buyer.page.getByText('Please send nothing more.').waitFor()
      // It may have been another coin.
      expect(await buyer.page.getByText('usually in').count()).toBe(0)
      await act({ do: 'pay' }, former)
      await handedOver(buyer, orderId)
    })
  })

  it('name the memo of a coin that needs one, and its network', async () => {
    await paying(async (buyer, orderId) => {
      await chooseCoin(buyer, 'XRP on XRP Ledger')
      await buyer.button('Copy destination tag').click()
      await expect.poll(async () => copied(buyer)).toBe(latest().slice(-6))
      await buyer.page.getByText('Do not leave out the destination tag').waitFor()
      await buyer.page.getByRole('img', { name: 'QR code: the XRP address beside it' }).waitFor()
      await buyer.page
        .getByText('This code holds the address only. Enter the amount and the destination tag yourself.')
        .waitFor()
      expect(await buyer.page.getByRole('link', { name: 'Open in a wallet' }).count()).toBe(0)
      await buyer.see('Pay by Crypto')
      // After a reload the same payment is there.
      const shown = latest()
      await buyer.page.reload()
      await buyer.button('Copy destination tag').waitFor()
      expect(latest()).toBe(shown)
      // How long its network takes is not known.
      await act({ do: 'confirming' })
      await buyer.page.getByText('The network confirms your payment.').waitFor()
      expect(await buyer.page.getByText(/minutes/).count()).toBe(0)
      await act({ do: 'pay' })
      await handedOver(buyer, orderId)
    })
  })

  it('are paid in USDT over one network, and not where a coin has a higher minimum', async () => {
    await paying(async (buyer, orderId) => {
      await chooseCoin(buyer, 'USDT on Ethereum (ERC20)')
      await buyer.page.getByRole('alert').getByText('This coin takes no less than 12.00 USD.').waitFor()
      // The payment that is open stands.
      await buyer.button('Copy Litecoin address').waitFor()
      await buyer.see('Pay by Crypto')
      await buyer.page.getByLabel('Coin and network').selectOption({ label: 'USDT on Tron (TRC20)' })
      await buyer.press('Pay with this coin')
      await buyer.button('Copy USDT address').waitFor()
      await buyer.page.getByText('This code holds the address only. Enter the amount yourself.').waitFor()
      expect(await fact(buyer, /^Over this network only$/).innerText()).toBe('Tron (TRC20)')
      expect(await fact(buyer, /^Send exactly$/).innerText()).toMatch(/^2\.250000 USDT/)
      expect(await buyer.page.getByRole('link', { name: 'Open in a wallet' }).count()).toBe(0)
      await buyer.see('Pay by Crypto')
      await act({ do: 'pay' })
      await handedOver(buyer, orderId)
    })
  })

  it('say how to look again after half an hour', async () => {
    await visit(async (buyer) => {
      await buyer.page.clock.install()
      const orderId = await buyer.placeOrder({ quantity: '50' })
      await buyer.chooseMethod('Crypto')
      await buyer.button('Copy Litecoin address').waitFor()
      await buyer.page.clock.fastForward(POLLED_FOR_MS)
      await buyer.page.getByText('Nothing has arrived for 30 minutes.').waitFor()
      await buyer.see('Pay by Crypto')
      await buyer.press('I have paid: check now')
      await act({ do: 'pay' })
      await handedOver(buyer, orderId)
    })
  })

  it('end otherwise, and say so', async () => {
    await paying(async (buyer) => {
      await act({ do: 'failed' })
      await buyer.button('Get a fresh address').waitFor()
      await buyer.see('Pay by Crypto')
      await buyer.press('Get a fresh address')
      await buyer.button('Copy Litecoin address').waitFor()
      // In place of the one that asks to try again.
      await buyer.toast('Fresh address').waitFor()
      expect(await buyer.toast('Payment Failed').count()).toBe(0)
      await act({ do: 'again', coin: 'usdttrc20', amount: '5' })
      await buyer.page.getByText('Money has arrived in another coin').waitFor()
      expect(await buyer.button('Copy Litecoin address').count()).toBe(0)
      await buyer.page.getByRole('link', { name: 'View Order Status' }).waitFor()
      expect(await buyer.page.getByText(/^You pay|^Payment seen/).count()).toBe(0)
      await buyer.see('Payment')
    })
  })
})
