import { paced } from '../load/paced-load.ts'
import { cryptoPaymentBody, orderBody } from '../load/orders.ts'
import { percentilesOf } from '../statistics.ts'
import { send, startBenchShop } from '../shop/bench-shop.ts'
import type { Bench } from './bench.ts'

const WINDOW_SECONDS = 30

/** What half a minute of the soak was like. */
export interface SoakWindow {
  /** Since the beginning, at its end. */
  readonly seconds: number
  readonly orders: number
  readonly p50: number
  readonly p99: number
  readonly megabytes: number | undefined
}

export interface Soak {
  readonly perSecond: number
  /** Orders that were due while too many others were under way. */
  readonly leftOut: number
  readonly windows: readonly SoakWindow[]
}

/** Orders are placed and paid at an even pace, for minutes, and delivered by the worker meanwhile. */
export async function measureSoak({ options, say }: Bench, folder: string, perSecond: number): Promise<Soak> {
  say(`a soak of ${options.soakSeconds} s at ${perSecond.toFixed(0)} orders/s`)
  const shop = await startBenchShop(folder, { SANDBOX_DELAY_MS: '0' })
  const windows: SoakWindow[] = []
  let delays: number[] = []
  let leftOut = 0
  await shop.caughtUp()
  const beganAt = performance.now()
  const endWindow = (): void => {
    const seconds = (performance.now() - beganAt) / 1_000
    const { p50, p99 } = percentilesOf(delays)
    windows.push({ seconds, orders: delays.length, p50, p99, megabytes: shop.residentMegabytes() })
    say(`${Math.round(seconds)} s, ${delays.length} orders, p99 ${p99.toFixed(1)} ms`)
    delays = []
  }
  const timer = setInterval(endWindow, WINDOW_SECONDS * 1_000)
  try {
    leftOut = await paced({ perSecond, seconds: options.soakSeconds }, async () => {
      const sentAt = performance.now()
      const { id } = await post<{ id: string }>(`${shop.url}/api/orders`, orderBody())
      delays.push(performance.now() - sentAt)
      await post(`${shop.url}/api/crypto/create-payment`, cryptoPaymentBody(id))
    })
    if (delays.length > 0) endWindow()
    await shop.caughtUp()
  } finally {
    clearInterval(timer)
    await shop.stop()
  }
  return { perSecond, leftOut, windows }
}

async function post<Body>(url: string, body: string): Promise<Body> {
  return send<Body>(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}
