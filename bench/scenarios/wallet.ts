import { drive, wholeWalks } from '../load/load.ts'
import { capturing, payingByWallet, placing, type WalletPayment } from '../load/orders.ts'
import { balanceBooks } from '../shop/books.ts'
import { raiseStock, startBenchShop } from '../shop/bench-shop.ts'
import { newFolder, removeFolder } from '../shop/folders.ts'
import { type Bench, CONNECTIONS, helloId, placeId } from './bench.ts'
import { delivered } from './delivering.ts'
import { warmUp } from './placing.ts'

const ORDERS_MIN = 500
const ORDERS_MAX = 8_000

/**
 * Sandbox confirmations by request: wallet payments of open orders are captured, each one checked, claimed by its receipt, recorded and its order
 * completed before the answer.
 */
export async function measureWallet(bench: Bench): Promise<void> {
  const { notebook, options } = bench
  const folder = await newFolder()
  const shop = await startBenchShop(folder)
  const acknowledged: string[] = []
  const payments: WalletPayment[] = []
  try {
    await raiseStock(shop)
    await warmUp(shop, acknowledged)
    const alone = notebook.last(placeId(CONNECTIONS))?.perSecond ?? ORDERS_MIN
    const count = Math.min(Math.max(Math.round((alone / 2) * options.seconds), ORDERS_MIN), ORDERS_MAX)
    const opened = await drive({
      url: shop.url,
      connections: CONNECTIONS,
      until: { amount: wholeWalks(count, { connections: CONNECTIONS, requestsEach: 2 }) },
      requests: [
        placing((orderId) => acknowledged.push(orderId), 'paypal'),
        payingByWallet((payment) => payments.push(payment)),
      ],
    })
    const captured = await drive({
      url: shop.url,
      connections: CONNECTIONS,
      until: { amount: payments.length },
      requests: [capturing(payments)],
    })
    const caughtUpFrom = performance.now()
    await delivered(shop, payments.length)
    const seconds = opened.seconds + captured.seconds + (performance.now() - caughtUpFrom) / 1_000
    const base = helloId(CONNECTIONS)
    const { perSecond, p50, p95, p99 } = captured
    const confirming = { id: 'capture', name: 'wallet payments confirmed (POST capture)', unit: 'payments', base }
    notebook.note(confirming, { perSecond, p50, p95, p99, ...shop.memory() })
    const delivering = { id: 'deliver-wallet', name: 'placed to delivered by wallet', unit: 'orders', base }
    notebook.note(delivering, { perSecond: payments.length / seconds })
  } finally {
    await shop.stop()
  }
  await balanceBooks(folder, { acknowledged, atRest: true })
  await removeFolder(folder)
}
