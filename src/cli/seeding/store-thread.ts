import { Worker } from 'node:worker_threads'
import type { EventStore } from '../../event-store/event-store.ts'

const ENTRY = new URL('store-worker.ts', import.meta.url)

/** Everything but waiting: who fills a shop waits for nobody's events. */
type Asked = Exclude<keyof EventStore, 'waitForEvents'>

export interface Call {
  readonly id: number
  readonly name: Asked
  readonly args: readonly unknown[]
}

/** Calls of one turn, and what time it was. */
export interface ToStore {
  readonly nowMs: number
  readonly calls: readonly Call[]
}

export type FromStore = readonly ({ readonly id: number } & (
  { readonly result: unknown } | { readonly error: unknown }
))[]

/**
 * The event store of a file in a thread of its own: while it writes and waits for the disk, this thread goes on deciding. An error keeps its sentence, but
 * not its class.
 */
export function storeInThread(file: string, { now }: { now: () => number }): EventStore {
  const worker = new Worker(ENTRY, { workerData: { file } })
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  let waiting: Call[] = []
  let lastId = 0

  worker.on('message', (answers: FromStore) => {
    for (const answer of answers) {
      if ('error' in answer) asked.get(answer.id)?.reject(answer.error)
      else asked.get(answer.id)?.resolve(answer.result)
      asked.delete(answer.id)
    }
  })
  worker.on('error', (error) => {
    for (const { reject } of asked.values()) reject(error)
    asked.clear()
  })

  function sendAll(): void {
    const message: ToStore = { nowMs: now(), calls: waiting }
    waiting = []
    worker.postMessage(message)
  }

  async function ask<Name extends Asked>(name: Name, args: Parameters<EventStore[Name]>): Promise<unknown> {
    lastId += 1
    const answer = Promise.withResolvers<unknown>()
    asked.set(lastId, answer)
    if (waiting.length === 0) queueMicrotask(sendAll)
    waiting.push({ id: lastId, name, args })
    return answer.promise
  }

  const asking =
    <Name extends Asked>(name: Name) =>
    (...args: Parameters<EventStore[Name]>) =>
      ask(name, args) as ReturnType<EventStore[Name]>

  return {
    append: asking('append'),
    readStream: asking('readStream'),
    readAll: asking('readAll'),
    head: asking('head'),
    readSnapshot: asking('readSnapshot'),
    writeSnapshot: asking('writeSnapshot'),
    async waitForEvents() {
      throw new TypeError('nobody waits for events here')
    },
    async close() {
      await ask('close', [])
      await worker.terminate()
    },
  }
}
