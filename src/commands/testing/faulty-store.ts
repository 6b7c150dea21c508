import {
  AppendAmbiguous,
  AppendConflict,
  type AppendResult,
  type EventStore,
  EventStoreAway,
} from '../../event-store/event-store.ts'

/** Gets between an append and its engine: may do something first, lose the answer, or never call `append` at all. */
export type Fault = (append: () => Promise<AppendResult>) => Promise<AppendResult>

export interface FaultyStore extends EventStore {
  /** What becomes of the next append to a stream whose name begins so; each fault happens once. */
  failNext(streamBegins: string, fault: Fault): void
  /** The same for a read of such a stream: runs between the read and its answer. */
  afterNextRead(streamBegins: string, work: () => Promise<void>): void
  /** How often a stream of this beginning was read or appended to. */
  countOf(call: 'append' | 'read', streamBegins: string): number
}

export const away: Fault = async () => {
  throw new EventStoreAway('played')
}

export const lostAnswer: Fault = async (append) => {
  await append()
  throw new AppendAmbiguous('played')
}

export const notWritten: Fault = async () => {
  throw new AppendAmbiguous('played')
}

/** Somebody else has written there. */
export const beaten: Fault = async () => {
  throw new AppendConflict('played', 0, undefined)
}

/** The process dies right here: nobody ever hears of it again. */
export const crash: Fault = async () => new Promise<never>(() => undefined)

/** It lands, and the process dies before it hears so. */
export const crashAfter: Fault = async (append) => {
  await append()
  return new Promise<never>(() => undefined)
}

/** Somebody else is faster. */
export function after(work: () => Promise<unknown>): Fault {
  return async (append) => {
    await work()
    return append()
  }
}

export function faultyStore(store: EventStore): FaultyStore {
  const faults: { begins: string; fault: Fault }[] = []
  const reads: { begins: string; work: () => Promise<void> }[] = []
  const calls: { call: 'append' | 'read'; stream: string }[] = []

  return {
    ...store,
    async append(stream, expectedRevision, events) {
      calls.push({ call: 'append', stream })
      const append = async (): Promise<AppendResult> => store.append(stream, expectedRevision, events)
      const found = taken(faults, stream)
      return found ? found.fault(append) : append()
    },
    async readStream(stream, page) {
      calls.push({ call: 'read', stream })
      const events = await store.readStream(stream, page)
      await taken(reads, stream)?.work()
      return events
    },
    failNext: (begins, fault) => faults.push({ begins, fault }),
    afterNextRead: (begins, work) => reads.push({ begins, work }),
    countOf: (call, begins) => calls.filter((one) => one.call === call && one.stream.startsWith(begins)).length,
  }
}

function taken<Entry extends { begins: string }>(entries: Entry[], stream: string): Entry | undefined {
  const index = entries.findIndex(({ begins }) => stream.startsWith(begins))
  return index === -1 ? undefined : entries.splice(index, 1)[0]
}
