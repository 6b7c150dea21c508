import {
  AppendAmbiguous,
  AppendConflict,
  type AppendResult,
  type EventStore,
  EventStoreAway,
} from '../../event-store/event-store.ts'

/** Wraps an append: may do something first, lose the answer, or never call `append`. */
export type Fault = (append: () => Promise<AppendResult>) => Promise<AppendResult>

export interface FaultyStore extends EventStore {
  /** Fault of the next append to a stream with this prefix; each happens once. */
  failNext(streamBegins: string, fault: Fault): void
  /** Runs between the next read of such a stream and its answer. */
  afterNextRead(streamBegins: string, work: () => Promise<void>): void
  /** Reads and appends of streams with this prefix. */
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

/** A concurrent writer was faster. */
export const beaten: Fault = async () => {
  throw new AppendConflict('played', 0, undefined)
}

/** The process crashes before the append. */
export const crash: Fault = async () => new Promise<never>(() => undefined)

/** The process crashes after the append, before its answer. */
export const crashAfter: Fault = async (append) => {
  await append()
  return new Promise<never>(() => undefined)
}

/** The process crashes before its next append to a stream with this prefix; resolves once it has. */
export async function crashed(store: FaultyStore, streamBegins: string): Promise<void> {
  return new Promise((resolve) => {
    store.failNext(streamBegins, async (append) => {
      resolve()
      return crash(append)
    })
  })
}

/** A concurrent writer is faster. */
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
