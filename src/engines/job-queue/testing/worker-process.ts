import { bullmqJobQueue } from '../bullmq-job-queue.ts'

// `node worker-process.ts <url> <prefix> <lock ms> <hang>`: works on `deliver` and prints the id of every job that it begins. The job `<hang>` never ends.
const [url = '', prefix = '', lockMs = '', hang = ''] = process.argv.slice(2)
const queue = bullmqJobQueue({ url, prefix, lockMs: Number(lockMs) })
queue.work(
  'deliver',
  async ({ id }) => {
    process.stdout.write(`${id}\n`)
    if (id === hang) await new Promise(() => undefined)
  },
  { concurrency: 4, timeoutMs: 60_000 },
)
