import { AppendAmbiguous, AppendConflict, EventStoreAway, EventStoreDamaged } from '../event-store/event-store.ts'
import { VaultAway, VaultDamaged } from '../vault/vault.ts'
import { ViewStoreAway } from '../view-store/view-store.ts'

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

/** An engine with failures on demand. */
export interface FailingEngine {
  readonly wrap: <Engine extends object>(engine: Engine) => Engine
  fail(error: Error | undefined): void
}

export function failingEngine(): FailingEngine {
  let failure: Error | undefined
  return {
    fail(error) {
      failure = error
    },
    wrap,
  }

  function wrap<Engine extends object>(engine: Engine): Engine {
    return new Proxy(engine, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        // Followers wait on; closing always works, and so does what asks no engine.
        if (typeof member !== 'function' || ['close', 'waitForEvents', 'figures'].includes(String(name))) return member
        // What a view store answers at once is asked later.
        if (name === 'marks') return (...given: unknown[]) => wrap(Reflect.apply(member, target, given) as object)
        return async (...given: unknown[]): Promise<unknown> => {
          if (failure) throw failure
          return (member as (...all: unknown[]) => unknown).apply(target, given)
        }
      },
    })
  }
}
