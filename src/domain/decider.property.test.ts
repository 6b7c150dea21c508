import fc from 'fast-check'
import { expect, it } from 'vitest'
import { admin } from './admin/admin.ts'
import { block } from './block/block.ts'
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
  blockHistories,
  customerHistories,
  type History,
  inventoryHistories,
  orderHistories,
  productHistories,
  receiptHistories,
  settingsHistories,
} from './testing/arbitraries.ts'

/** Without a key, a repeated edit of the stock counts as a second edit. */
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
keepsThePromisesOfADecider('a block', block, blockHistories)

function keepsThePromisesOfADecider<Command, State, Event extends ShopEvent>(
  name: string,
  decider: Decider<Command, State, Event>,
  histories: fc.Arbitrary<History<Command, State, Event>>,
  mayRepeat: (command: Command) => boolean = () => false,
): void {
  it(`${name} adds nothing when a command is repeated`, () =>
    fc.assert(
      fc.property(histories, ({ steps }) => {
        for (const { command, after, refusal } of steps)
          if (refusal === undefined && !mayRepeat(command)) expect(decider.decide(command, after)).toStrictEqual([])
      }),
      { numRuns: 300 },
    ))

  it(`${name} is the same however its history is split and stored`, () =>
    fc.assert(
      fc.property(histories, fc.nat(), ({ steps, events }, place) => {
        const cut = place % (events.length + 1)
        const stored = JSON.parse(JSON.stringify(events)) as Event[]
        const atCut = fold(decider, stored.slice(0, cut))
        const whole = fold({ ...decider, initial: atCut }, stored.slice(cut))
        expect(whole).toStrictEqual(steps.at(-1)?.after)
        // Folding the second part did not change the state of the first.
        expect(atCut).toStrictEqual(fold(decider, stored.slice(0, cut)))
      }),
    ))

  it(`${name} emits only events that its stored format allows`, () =>
    fc.assert(
      fc.property(histories, ({ events }) => {
        for (const { type, data } of events) expect(eventFormats.get(type)?.schema.parse(data)).toStrictEqual(data)
      }),
    ))
}
