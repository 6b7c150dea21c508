import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admin } from './admin/admin.ts'
import { customer } from './customer/customer.ts'
import { type Decider, fold } from './decider.ts'
import { eventFormats, type ShopEvent } from './events.ts'
import { inventory, type InventoryCommand } from './inventory/inventory.ts'
import { order } from './order/order.ts'
import { catalogue } from './product/product.ts'
import { receipt } from './receipt/receipt.ts'
import { settings } from './settings/settings.ts'
import {
  adminHistories,
  customerHistories,
  type History,
  inventoryHistories,
  orderHistories,
  productHistories,
  receiptHistories,
  settingsHistories,
} from './testing/arbitraries.ts'

/** Only a key tells a repeated edit of the stock from a second one. */
function hasNoKey(command: InventoryCommand): boolean {
  return command.type === 'AdjustStock' && command.editKey === null
}

keepsThePromisesOfADecider('an order', order, orderHistories)
keepsThePromisesOfADecider('the inventory', inventory, inventoryHistories, hasNoKey)
keepsThePromisesOfADecider('a receipt', receipt, receiptHistories)
keepsThePromisesOfADecider('the settings', settings, settingsHistories)
keepsThePromisesOfADecider('a product', catalogue, productHistories)
keepsThePromisesOfADecider('a member of staff', admin, adminHistories)
keepsThePromisesOfADecider('a customer', customer, customerHistories)

function keepsThePromisesOfADecider<Command, State, Event extends ShopEvent>(
  name: string,
  decider: Decider<Command, State, Event>,
  histories: fc.Arbitrary<History<Command, State, Event>>,
  mayRepeat: (command: Command) => boolean = () => false,
): void {
  describe(name, () => {
    it('adds nothing when a command is repeated', () =>
      fc.assert(
        fc.property(histories, ({ steps }) => {
          for (const { command, after, refusal } of steps)
            if (refusal === undefined && !mayRepeat(command)) expect(decider.decide(command, after)).toStrictEqual([])
        }),
        { numRuns: 300 },
      ))

    it('is the same however its history is cut and wherever it was kept', () =>
      fc.assert(
        fc.property(histories, fc.nat(), ({ steps, events }, place) => {
          const cut = place % (events.length + 1)
          const stored = JSON.parse(JSON.stringify(events)) as Event[]
          const atCut = fold(decider, stored.slice(0, cut))
          const whole = fold({ ...decider, initial: atCut }, stored.slice(cut))
          expect(whole).toStrictEqual(steps.at(-1)?.after)
          // The first part is what it was: nothing reached back into it.
          expect(atCut).toStrictEqual(fold(decider, stored.slice(0, cut)))
        }),
      ))

    it('decides only what its stored format can hold', () =>
      fc.assert(
        fc.property(histories, ({ events }) => {
          for (const { type, data } of events) expect(eventFormats.get(type)?.schema.parse(data)).toStrictEqual(data)
        }),
      ))
  })
}
