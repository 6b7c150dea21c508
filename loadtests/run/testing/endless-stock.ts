import { inventory as sound } from '../../../src/domain/inventory/inventory.ts'

export * from '../../../src/domain/inventory/inventory.ts'

/** What was reserved can be reserved again. */
export const inventory: typeof sound = {
  ...sound,
  evolve(state, event) {
    const next = sound.evolve(state, event)
    return event.type === 'StockReserved' ? { ...next, freeM: state.freeM } : next
  },
}
