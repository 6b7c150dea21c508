import { expect, it } from 'vitest'
import { approveOrder } from '../commands/approve-order.ts'
import { eraseCustomer } from '../commands/erase-customer.ts'
import { testShop } from './test-shop.ts'
import { needsItsBuyer } from '../domain/order/needs-buyer.ts'
import { ERASED_STREAM } from '../domain/stream-names.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'
import { type Vault, VaultAway } from '../engines/vault/vault.ts'
import { allEvents, auditBooks } from './audit-books.ts'

const EMAIL = 'ash@example.com'

/** A shop with one person who orders and is erased. */
async function erasingScene() {
  const test = await testShop()
  // Afterwards they follow when a reader waits for them.
  await test.views()
  const { context, caller, reader } = test
  const { vault, log } = context
  const place = async (by: CommandContext = context): Promise<string> =>
    (await test.placed({ quantityM: 1 }, by)).placed.orderId
  const complete = async (orderId: string) => test.ask(approveOrder, { orderId, adminId: 'owner' })
  const orders = async () => [...auditBooks(await allEvents(log), { atRest: false }).orders.values()]
  const buyers = async () => (await orders()).map(({ placed }) => placed.customerId)
  const due = async () => {
    const policy = test.assembled.policies(reader()).find(({ name }) => name === 'finish-erasures')
    return policy?.due(context.clock.now())
  }
  return {
    ...test,
    vault,
    log,
    place,
    complete,
    orders,
    buyers,
    due,
    completed: async () => complete(await place()),
    erase: async (by: CommandContext = context) =>
      eraseCustomer(by, caller(), { email: EMAIL, adminId: 'owner', known: knownOrders(reader()) }),
    /** Runs the policies ten minutes later. */
    async finishAll() {
      test.pass(10)
      await test.sweep()
    },
    /** This shop with some calls of the vault replaced. */
    withVault: (changes: Partial<Vault>): CommandContext => ({ ...context, vault: { ...vault, ...changes } }),
    customersByEmail: async () => vault.customersByEmail(context.keys.emailHmac(EMAIL)),
    /** Orders that still need a buyer, but whose buyer's key is missing. */
    async unreadable() {
      const needed = (await orders()).filter(needsItsBuyer)
      const keys = await vault.keysOf(needed.map(({ placed }) => placed.customerId))
      return needed.filter(({ placed }) => !(keys.get(placed.customerId) instanceof Uint8Array))
    },
    /** All customers recorded as erased, and those whose keys still exist. */
    async register() {
      const events = await log.readStream(ERASED_STREAM)
      const ids = events.flatMap((event) => (event.type === 'CustomerErased' ? [event.data.customerId] : []))
      const kept = await vault.keysOf(ids)
      return { ids, left: ids.filter((id) => kept.get(id) !== 'erased') }
    },
  }
}

const died = async () => Promise.reject(new VaultAway('died'))

it('erasing keeps orders and their money, and deletes the key', async () => {
  const scene = await erasingScene()
  await scene.completed()
  const before = await scene.orders()
  expect(await scene.erase()).toMatchObject({ isErased: true })
  expect(await scene.orders()).toEqual(before)
  const [placed] = await scene.eventsOf(before[0]?.placed.orderId ?? '')
  expect([...(await scene.log.openPersonal(placed ? [placed] : [])).values()]).toEqual(['erased'])
  // An erased person cannot be told from one who never ordered.
  await expect(scene.erase()).rejects.toMatchObject({ code: 'customer/not-found' })
  await scene.place()
  expect(new Set(await scene.buyers()).size).toBe(2)
  expect(await scene.unreadable()).toEqual([])
})

it('erasing is rejected while an order is open, and changes nothing', async () => {
  const scene = await erasingScene()
  await scene.place()
  const before = await scene.buyers()
  const [open] = await scene.orders()
  await expect(scene.erase()).rejects.toMatchObject({
    code: 'customer/has-open-orders',
    message: expect.stringContaining(String(open?.placed.orderNumber)),
  })
  await scene.place()
  expect(new Set(await scene.buyers())).toEqual(new Set(before))
  expect((await scene.register()).ids).toEqual([])
})

it('erasing waits for an order that is being placed, and is finished by the policies when that died', async () => {
  const scene = await erasingScene()
  let calls = 0
  const dying = scene.withVault({
    customerByEmail: async (...asked) => {
      calls += 1
      if (calls === 2) throw new VaultAway('died behind the reservation')
      return scene.vault.customerByEmail(...asked)
    },
  })
  await expect(scene.place(dying)).rejects.toThrow(VaultAway)
  expect(await scene.erase()).toMatchObject({ isErased: false })
  expect((await scene.register()).ids).toEqual([])
  await scene.finishAll()
  expect((await scene.register()).ids).toHaveLength(1)
  expect(await scene.customersByEmail()).toEqual([])
})

it.for<[when: string, dying: (vault: Vault) => Partial<Vault>, left: number, needsBuyerSince: boolean]>([
  ['before the key was deleted', () => ({ deleteCustomers: died }), 1, false],
  ['before the key was deleted, whatever its orders need since', () => ({ deleteCustomers: died }), 1, true],
  [
    'right after the decision',
    (vault) => ({ decideErasure: async (...decided) => vault.decideErasure(...decided).then(died) }),
    0,
    false,
  ],
])('erasing is finished by the policies when a process died %s', async ([, dying, left, needsBuyerSince]) => {
  const scene = await erasingScene()
  const orderId = await scene.place()
  await scene.complete(orderId)
  await expect(scene.erase(scene.withVault(dying(scene.vault)))).rejects.toThrow(VaultAway)
  expect((await scene.register()).left).toHaveLength(left)
  const receipt = {
    attempt: 1,
    receiptId: 'receipt-1',
    why: 'pays-another-order',
    isGone: false,
    endsSighting: false,
  } as const
  const command = { type: 'NoteUnusableReceipt', ...receipt, at: nowText(scene.context) } as const
  if (needsBuyerSince) await handleOrder(scene.context, scene.caller(), { orderId, command })
  await scene.finishAll()
  expect(await scene.register()).toMatchObject({ ids: [expect.any(String)], left: [] })
})

it('erasing is rejected while views could not read everything', async () => {
  const scene = await erasingScene()
  await scene.completed()
  const unreadable = { id: scene.context.random.uuid(), type: 'Nonsense', version: 1, data: '{}', metadata: '{}' }
  await scene.store.append(`order-${scene.context.random.uuid()}`, -1, [unreadable])
  await expect(scene.erase()).rejects.toThrow(/could not read everything/)
  expect((await scene.register()).ids).toEqual([])
})

it('the policies do not finish an erasure that is under way', async () => {
  const scene = await erasingScene()
  await scene.place()
  const [customerId = ''] = await scene.buyers()
  await scene.vault.detachEmail(customerId, { erasureId: 'now', at: scene.context.clock.now() })
  expect(await scene.due()).toEqual([])
  scene.pass(3)
  expect(await scene.due()).toMatchObject([{ data: { customerId } }])
})
