import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SmtpDouble } from '../messages/testing/smtp-double.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { seededRandom } from '../ports/testing/clock.ts'
import { ADMIN_PASSWORD, placeOrder, setStock, startPayment } from './buyers.ts'
import { killStarted, type ShopProcess, startShopProcess } from './shop-process.ts'
import { sizeOf } from './tier.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const FAULTS = sizeOf({ fast: 4, deep: 8, night: 100 })
const ORDERS_PER_FAULT = 6
/** Longer than a lease lasts. */
const PAUSED_MS = 7_000
const ARRIVES = { timeout: 60_000, interval: 500 }

const smtp = new SmtpDouble()
const started: Promise<ShopProcess>[] = []

beforeAll(async () => void (await smtp.listen()))
afterAll(async () => {
  await killStarted(started)
  await smtp.stop()
})

const mailsOf = (orderId: string) => smtp.mails.filter(({ raw }) => raw.includes(`Message-ID: <${orderId}`)).length
const linesOf = (orderId: string) =>
  smtp.mails.filter(({ raw }) => raw.replaceAll('=\r\n', '').includes(`/admin/orders/${orderId}`)).length

it(
  `through ${FAULTS} kills and pauses each message comes, and is doubled once at most by each`,
  { timeout: FAULTS * 40_000 + 120_000 },
  async () => {
    process.stdout.write(`CRASH_SEED=${SEED} gives the same faults\n`)
    const random = seededRandom(SEED)
    const env = { ...smtp.env, DATA_DIR: testFolder(), ADMIN_PASSWORD, SANDBOX_DELAY_MS: '50', DELIVERY: 'staff' }
    const start = async (roles: string): Promise<ShopProcess> => {
      const starting = startShopProcess({ ...env, ROLES: roles })
      started.push(starting)
      return starting
    }
    let shop = await start('api,projector,worker')
    let worker = await start('worker')
    await setStock(shop.url, 100_000)
    const paid: string[] = []
    for (let fault = 0; fault < FAULTS; fault += 1) {
      const [from, { url }] = [paid.length, shop]
      for (let count = 0; count < ORDERS_PER_FAULT; count += 1) {
        const { body } = await placeOrder(url, `buyer-${paid.length}`)
        const orderId = String(body['id'])
        if ((await startPayment(url, orderId)).status === 200) paid.push(orderId)
      }
      await sleep(random.fraction() * 4_000)
      const [isKill, isShop] = [random.fraction() < 0.6, random.fraction() < 0.5]
      const victim = isShop ? shop : worker
      if (isKill) {
        await victim.kill()
        if (isShop) shop = await start('api,projector,worker')
        else worker = await start('worker')
      } else {
        victim.pause()
        await sleep(PAUSED_MS)
        victim.resume()
      }
      const missing = () => paid.slice(from).filter((orderId) => mailsOf(orderId) === 0 || linesOf(orderId) === 0)
      await expect.poll(missing, ARRIVES).toEqual([])
    }
    expect(paid.length).toBeGreaterThan(FAULTS)
    const counts = paid.flatMap((orderId) => [mailsOf(orderId), linesOf(orderId)])
    // The fault after its order, and the next one while the checkpoint is not stored.
    expect([Math.min(...counts), Math.max(...counts) <= 3]).toEqual([1, true])
    const doubled = counts.filter((count) => count > 1).length
    process.stdout.write(`${paid.length} orders, ${smtp.mails.length} mails, ${doubled} messages doubled\n`)
  },
)
