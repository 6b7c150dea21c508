import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { idIn, orderBody } from '../load/orders.ts'
import { percentilesOf } from '../statistics.ts'
import { balanceBooks } from '../shop/books.ts'
import { raiseStock, startBenchShop } from '../shop/bench-shop.ts'
import { newFolder, removeFolder } from '../shop/folders.ts'
import type { Bench } from './bench.ts'

const SCRIPT = fileURLToPath(new URL('./visible-process.ts', import.meta.url))
const ORDERS_PER_SECOND_ASKED = 50
const CLIENT_ORDERS = 60
const CLIENT_WARM_UP = 20
const REST_MS = 10

/** From an append to what readers see, with nothing else to do: in the process, and as a client of the whole door meets it. */
export async function measureVisible(bench: Bench): Promise<void> {
  await inProcess(bench)
  await byClient(bench)
}

async function inProcess({ options, notebook }: Bench): Promise<void> {
  const folder = await newFolder()
  const count = String(ORDERS_PER_SECOND_ASKED * options.seconds)
  const child = spawn(process.execPath, [SCRIPT, folder, count], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = (await Promise.all([text(child.stdout), once(child, 'exit')])) as [string, [number | null]]
  if (code !== 0) throw new Error(`measuring how soon an order is visible ended with exit code ${code}`)
  const name = 'append to visible in the list, in process'
  notebook.note({ id: 'visible', name, unit: 'orders' }, percentilesOf(JSON.parse(output) as number[]))
  await balanceBooks(folder, { atRest: false })
  await removeFolder(folder)
}

async function byClient({ notebook }: Bench): Promise<void> {
  const folder = await newFolder()
  const shop = await startBenchShop(folder)
  const acknowledged: string[] = []
  const delays: number[] = []
  try {
    await raiseStock(shop)
    for (let index = 0; index < CLIENT_WARM_UP + CLIENT_ORDERS; index += 1) {
      const sentAt = performance.now()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${shop.url}/api/orders`, { method: 'POST', body: orderBody(), headers })
      const orderId = idIn(await answer.text(), 'id')
      const position = answer.headers.get('x-position') ?? ''
      const seen = { 'x-position': position }
      const { orders } = await shop.staff<{ orders: { id: string }[] }>('/api/orders?limit=1', seen)
      if (orders[0]?.id !== orderId) throw new Error('the list does not show the order that was just placed')
      if (index >= CLIENT_WARM_UP) delays.push(performance.now() - sentAt)
      acknowledged.push(orderId)
      await pause(REST_MS)
    }
  } finally {
    await shop.stop()
  }
  const name = 'POST sent to shown by GET list, by a client'
  notebook.note({ id: 'visible-client', name, unit: 'orders' }, percentilesOf(delays))
  await balanceBooks(folder, { acknowledged, atRest: true })
  await removeFolder(folder)
}
