import { orderStream } from './domain/stream-names.ts'
import type { EventLog } from './event-store/event-log.ts'

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The number of the order that a job is about, for the log of the process: the order's id would open it. Undefined where the log does not tell. */
export async function orderOfJob(log: Pick<EventLog, 'readStream'>, jobId: string): Promise<string | undefined> {
  const [orderId] = ID.exec(jobId) ?? []
  if (orderId === undefined) return undefined
  try {
    const [placed] = await log.readStream(orderStream(orderId), 0, 1)
    return placed?.type === 'OrderPlaced' ? placed.data.orderNumber : undefined
  } catch {
    return undefined
  }
}
