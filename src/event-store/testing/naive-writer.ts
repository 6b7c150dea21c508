import { EventStoreDBClient, excludeSystemEvents, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { setTimeout as pause } from 'node:timers/promises'
import { lateClock } from './late-clock.ts'

// `node naive-writer.ts <scenario> <address> <milliseconds>`: uses the client as its documentation shows, and prints what it comes to, one word a line.
// A process each, since the client shares state between its instances, and some of its errors end the process.

const [scenario = '', address = '', waits = ''] = process.argv.slice(2)
/** After it an append counts as never settled. */
const LONG_MS = Number(waits)
const DEADLINE_MS = LONG_MS / 5

function say(word: string): void {
  process.stdout.write(`${word}\n`)
}

process.on('unhandledRejection', () => say('unhandled rejection'))

const connect = (url = address): EventStoreDBClient => EventStoreDBClient.connectionString(url)

async function append(
  client: EventStoreDBClient,
  data: unknown = { amount: '1' },
  stream = 'order-1',
): Promise<string> {
  const event = jsonEvent({ type: 'OrderPlaced', data: data as { amount: string } })
  const { nextExpectedRevision } = await client.appendToStream(stream, event, {
    expectedRevision: NO_STREAM,
    deadline: DEADLINE_MS,
  })
  return `revision ${nextExpectedRevision}`
}

function kindOf(error: unknown): string {
  const { type, code } = error as { type?: string; code?: number }
  return type ?? `untyped error${code === undefined ? '' : ` ${code}`}`
}

/** The value, the kind of error, or that neither came. */
async function outcomeOf(answering: Promise<string>): Promise<string> {
  return Promise.race([answering.catch(kindOf), pause(LONG_MS, 'never settled')])
}

const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  async 'append what is no JSON'() {
    say(await outcomeOf(append(connect(), { amount: 1n })))
  },

  async append() {
    say(await outcomeOf(append(connect())))
  },

  async 'append by two clients'() {
    const [ours, theirs] = [connect(), connect()]
    const [first] = await Promise.all([
      outcomeOf(append(ours, {}, 'order-slow')),
      append(theirs, {}, 'order-bad').catch(() => ''),
    ])
    say(first)
    await pause(LONG_MS)
    say(await outcomeOf(append(ours, {}, 'order-slow')))
  },

  async 'append again and again'() {
    const client = connect()
    for (let count = 0; count < 3; count += 1) say(await outcomeOf(append(client)))
    say(await outcomeOf(append(connect())))
  },

  async 'leave a loop early'() {
    for await (const resolved of connect().readStream('order-1')) {
      say(`revision ${resolved.event?.revision}`)
      break
    }
    await pause(LONG_MS)
    say('done')
  },

  async 'fail at a checkpoint'() {
    const filter = excludeSystemEvents({ checkpointReached: async () => Promise.reject(new Error('not stored')) })
    const subscription = connect().subscribeToAll({ filter })
    subscription.on('data', () => say('event')).on('close', () => say('closed'))
    await pause(LONG_MS)
    say(subscription.destroyed ? 'destroyed' : 'not destroyed')
  },

  async 'append without exceptions'() {
    say(await outcomeOf(append(connect(`${address}&throwOnAppendFailure=false`))))
  },

  async 'append by a clock that is late'() {
    lateClock(60_000)
    say(await outcomeOf(append(connect())))
  },

  async 'append and return'() {
    say(await append(connect()))
    setTimeout(() => {
      say('still running')
      process.exit(0)
    }, LONG_MS).unref()
  },
}

const run = scenarios[scenario]
if (!run) throw new TypeError(`no scenario: ${scenario}`)
await run()
if (scenario !== 'append and return') process.exit(0)
