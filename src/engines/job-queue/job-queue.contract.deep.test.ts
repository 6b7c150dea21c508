import { describeEach } from '../../testing/describe-unless.ts'
import { jobQueueContract } from './job-queue.contract.test.ts'
import { redisJobQueues } from './testing/job-queues.ts'

describeEach(redisJobQueues, 'job queue contract', jobQueueContract)
