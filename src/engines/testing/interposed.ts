import {
  AppendAmbiguous,
  AppendConflict,
  type EventStore,
  EventStoreAway,
  EventStoreDamaged,
} from '../event-store/event-store.ts'
import { VaultAway, VaultDamaged } from '../vault/vault.ts'
import { ViewStoreAway } from '../view-store/view-store.ts'

/** A call of a port. */
export interface Call {
  readonly name: string
  readonly given: readonly unknown[]
}

/** What becomes of a call: may wait, make it or not, lose its answer, or never end. */
export type Fate = (make: () => Promise<unknown>, call: Call) => Promise<unknown>

/** Followers wait on; closing always works; figures ask no engine. */
const PASSED_ON = new Set<string | symbol>(['close', 'waitForEvents', 'figures'])

/** A port each of whose calls meets its fate. */
export function interposed<Port extends object>(port: Port, fate: Fate): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      // A part of a view store, whose calls are calls of the store.
      if (name === 'texts') return interposed(member as object, fate)
      if (typeof member !== 'function' || PASSED_ON.has(name)) return member
      const made = (given: unknown[]) => async () => Reflect.apply(member, target, given) as Promise<unknown>
      return async (...given: unknown[]) => fate(made(given), { name: String(name), given })
    },
  })
}

export const fails =
  (error: Error): Fate =>
  async () => {
    throw error
  }
export const losesAnswer =
  (error: Error): Fate =>
  async (make) => {
    await make()
    throw error
  }
/** The process crashes before the call, or after it and before its answer. */
export const crash: Fate = async () => new Promise<never>(() => undefined)
export const crashAfter: Fate = async (make) => {
  await make()
  return new Promise<never>(() => undefined)
}
/** Something else happens first. */
export const after =
  (work: () => Promise<unknown>): Fate =>
  async (make) => {
    await work()
    return make()
  }

export const away = fails(new EventStoreAway('played'))
export const notWritten = fails(new AppendAmbiguous('played'))
export const lostAnswer = losesAnswer(new AppendAmbiguous('played'))
/** A concurrent writer was faster. */
export const beaten = fails(new AppendConflict('played', 0, undefined))

export function faultyStore(store: EventStore) {
  const plans: { name: string; begins: string; fate: Fate }[] = []
  const calls: { name: string; stream: string }[] = []
  const faulty = interposed(store, async (make, call) => {
    const stream = String(call.given[0])
    calls.push({ name: call.name, stream })
    const index = plans.findIndex(({ name, begins }) => name === call.name && stream.startsWith(begins))
    const [plan] = index === -1 ? [] : plans.splice(index, 1)
    return plan ? plan.fate(make, call) : make()
  })
  return Object.assign(Object.create(faulty) as EventStore, {
    /** Fate of the next append to a stream with this prefix; each happens once. */
    failNext: (begins: string, fate: Fate): unknown => plans.push({ name: 'append', begins, fate }),
    /** Runs between the next read of such a stream and its answer. */
    afterNextRead(begins: string, work: () => Promise<void>): void {
      const fate: Fate = async (make) => {
        const events = await make()
        await work()
        return events
      }
      plans.push({ name: 'readStream', begins, fate })
    },
    /** Calls for streams with this prefix. */
    countOf: (name: 'append' | 'readStream', begins: string): number =>
      calls.filter((one) => one.name === name && one.stream.startsWith(begins)).length,
  })
}

export type FaultyStore = ReturnType<typeof faultyStore>

/** The process crashes before its next append to a stream with this prefix; resolves once it has. */
export async function crashed(store: FaultyStore, streamBegins: string): Promise<void> {
  return new Promise((resolve) => {
    store.failNext(streamBegins, async (make, call) => {
      resolve()
      return crash(make, call)
    })
  })
}

/** The engines' errors, with internal text that no caller may see. */
export const engineErrors = {
  logAway: new EventStoreAway('inside: disk full'),
  logAmbiguous: new AppendAmbiguous('inside: connection lost'),
  logConflict: new AppendConflict('inside', 1, 2),
  logDamaged: new EventStoreDamaged('inside: checksum of order-1:3'),
  vaultAway: new VaultAway('inside: no primary'),
  vaultDamaged: new VaultDamaged('inside: another vault'),
  viewsAway: new ViewStoreAway('inside: no primary'),
}

/** Engines with failures on demand. */
export function failingEngine() {
  let failure: Error | undefined
  const fate: Fate = async (make) => {
    if (failure) throw failure
    return make()
  }
  return {
    wrap: <Engine extends object>(engine: Engine): Engine => interposed(engine, fate),
    fail(error: Error | undefined): void {
      failure = error
    },
  }
}
