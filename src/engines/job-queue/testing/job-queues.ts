import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { type Missing, notSet } from '../../../ports/testing/missing.ts'
import { bullmqJobQueue } from '../bullmq-job-queue.ts'
import { inProcessJobQueue, type InProcessJobQueueOptions } from '../in-process-job-queue.ts'
import type { JobQueue } from '../job-queue.ts'

export interface JobQueueEngine {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  /** A new, empty queue of its own. */
  open(options: InProcessJobQueueOptions): JobQueue
}

const redisUrl = process.env['REDIS_URL']

/** The engines under the contract suite; add new ones here. */
export const ownJobQueues: readonly JobQueueEngine[] = [{ name: 'in process', open: inProcessJobQueue }]

export const redisJobQueues: readonly JobQueueEngine[] = [
  {
    name: 'bullmq',
    missing: notSet('REDIS_URL'),
    open(options) {
      const url = redisUrl ?? ''
      const prefix = `test-${randomUUID()}`
      const queue = bullmqJobQueue({ url, prefix, ...options })
      return { ...queue, close: async (graceMs) => queue.close(graceMs).then(async () => removeAll(url, prefix)) }
    },
  },
]

/** The server may have other users. */
async function removeAll(url: string, prefix: string): Promise<void> {
  const client = new Redis(url)
  for await (const keys of client.scanStream({ match: `${prefix}:*`, count: 1_000 }) as AsyncIterable<string[]>)
    if (keys.length > 0) await client.unlink(keys)
  client.disconnect()
}
