import { expect, it } from 'vitest'
import { BLOCKED_STREAM, STOCK_STREAM } from '../domain/stream-names.ts'
import type { BlockKind } from '../domain/words.ts'
import { type Call, crash, crashAfter, type Fate } from '../engines/testing/interposed.ts'
import type { Vault } from '../engines/vault/vault.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { type Block, readBlocks, renewBlock } from '../shop/blocks.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { orderRequest, paymentRequest, receiptOf, reportOf, testShop, type TestShop } from './test-shop.ts'
import { approveOrder } from '../commands/approve-order.ts'
import { blockBuyer, deleteEndedBlocks, unblockBuyer } from '../commands/block-buyer.ts'
import { capturePayment } from '../commands/capture-payment.ts'
import { deleteErased, eraseCustomer } from '../commands/erase-customer.ts'
import { cancelOrder } from '../commands/order-verbs.ts'
import { placeOrder } from '../commands/place-order.ts'
import { startPayment } from '../commands/start-payment.ts'

const EMAIL = 'Ash.Ketchum@gmail.com'
const NAME = 'Ash#1'
const buyer = { customerEmail: EMAIL, discordUsername: NAME }
const stranger = { customerEmail: 'new@example.com', discordUsername: 'new' }
const DAY_MINUTES = 24 * 60

const blocking = { reason: 'chargeback', remark: 'Ash, twice', adminId: 'owner' } as const

async function shop(options: Parameters<typeof testShop>[0] = {}) {
  const test = await testShop(options)
  await test.views()
  const block = async (orderId: string, kinds: BlockKind[] = ['email', 'name'], blockId = 'block-1') =>
    test.ask(blockBuyer, { ...blocking, blockId, orderId, kinds, known: knownOrders(test.reader()) })
  const blocks = async (): Promise<Block[]> => (await readBlocks(test.context)).map(({ value }) => value)
  return { ...test, block, blocks }
}

async function blockedShop(kinds?: BlockKind[], options?: Parameters<typeof testShop>[0]) {
  const test = await shop(options)
  const { orderId } = (await test.placed(buyer)).placed
  await test.block(orderId, kinds)
  return { ...test, orderId }
}

const outcomeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: unknown }).code,
  )

const trying = async ({ context, caller }: TestShop, changes: Parameters<typeof orderRequest>[0], by = context) =>
  outcomeOf(placeOrder(by, caller(), orderRequest({ quantityM: 1, ...changes })))

it('a blocked buyer places no order in any spelling of the e-mail or name, and reserves nothing, until unblocked', async () => {
  const test = await blockedShop()
  const before = await test.typesOf(STOCK_STREAM)
  for (const customerEmail of [EMAIL, 'ASHKETCHUM+2@googlemail.com'])
    expect(await trying(test, { ...stranger, customerEmail })).toBe('order/not-accepted')
  expect(await trying(test, { ...stranger, discordUsername: 'ASH#1' })).toBe('order/not-accepted')
  expect(await test.typesOf(STOCK_STREAM)).toEqual(before)
  expect(await trying(test, stranger)).toBe('done')
  expect(await test.blocks()).toMatchObject([{ met: 3, reason: 'chargeback' }])

  await test.ask(unblockBuyer, { blockId: 'block-1', adminId: 'owner' })
  expect(await test.blocks()).toEqual([])
  expect(await trying(test, buyer)).toBe('done')
  expect(await test.typesOf(BLOCKED_STREAM)).toEqual(['BuyerBlocked', 'BuyerUnblocked'])
})

it('the refusal says neither what is blocked nor why, and how to reach support', async () => {
  const test = await blockedShop()
  const words = await Promise.all(
    [{ ...stranger, customerEmail: EMAIL }, { ...stranger, discordUsername: NAME }, buyer].map(async (changes) =>
      test.placed(changes).catch((error: unknown) => (error as Error).message),
    ),
  )
  const text = 'The shop cannot take this order; if you think that this is a mistake, write to us: '
  expect(words).toEqual(Array.from({ length: 3 }, () => `${text}${test.context.config.PUBLIC_URL}/contact`))
})

it.for([
  ['the e-mail', { ...stranger, customerEmail: EMAIL }],
  ['the name', { ...stranger, discordUsername: NAME }],
  ['both', buyer],
] as const)('a refused try is the same work whichever matched: %s', async ([, changes]) => {
  const calls: string[] = []
  const notes: Fate = async (make, call) => (calls.push(worded(call)), make())
  const test = await blockedShop(['email', 'name'], { fates: { vault: notes, log: notes } })
  calls.length = 0
  expect(await trying(test, changes)).toBe('order/not-accepted')
  expect(calls).toEqual(['notes 2', 'notes 1', 'notes 1', 'writeNote'])
})

/** A call with the number of ids that it asks for. */
function worded({ name, given }: Call): string {
  return name === 'notes' ? `notes ${(given[1] as readonly string[]).length}` : name
}

it('each of many tries at once is counted', async () => {
  const test = await blockedShop()
  await Promise.all(Array.from({ length: 8 }, async () => trying(test, buyer)))
  expect(await test.blocks()).toMatchObject([{ met: 8 }])
})

it('the open orders of a blocked buyer end if they hold no money, and otherwise need a person', async () => {
  const test = await shop({ env: { DELIVERY: 'webhook' } })
  const unpaid = (await test.placed(buyer)).placed.orderId
  const paid = (await test.started('crypto', buyer)).orderId
  await test.received(paid)
  const others = (await test.placed(stranger)).placed.orderId
  expect(await test.block(unpaid)).toMatchObject({ ended: 1 })
  expect((await test.order(unpaid)).life).toMatchObject({ kind: 'ended', as: 'cancelled' })
  expect(await test.reasons(paid)).toEqual(['buyer-blocked'])
  expect((await test.order(others)).life.kind).toBe('open')
  await test.sweep()
  expect(await test.typesOf(paid)).not.toContain('DeliveryRequested')
})

it('what the log says of a block and of the orders that it ended has no id in common', async () => {
  const test = await blockedShop()
  const [blocked] = await test.eventsOf(BLOCKED_STREAM)
  const cancelled = (await test.eventsOf(test.orderId)).at(-1)
  expect([blocked?.type, cancelled?.type]).toEqual(['BuyerBlocked', 'OrderCancelled'])
  expect(cancelled?.metadata.correlationId).not.toBe(blocked?.metadata.correlationId)
  expect(cancelled?.metadata).toMatchObject({ causationId: null })
})

const wallet = { status: 'received', amountPaid: null, payerId: 'PAYER1' } as const

/** Pays by PayPal; every PayPal payment is of one payer. */
async function payByWallet(test: TestShop, changes: Parameters<TestShop['placed']>[0]) {
  const { orderId } = (await test.placed(changes)).placed
  const { attempt } = await startPayment(test.context, test.caller(), paymentRequest(orderId, 'paypal'))
  const { paymentId } = attempt.started
  const { reports, before } = test.providers.paypal
  reports.set(paymentId, reportOf('approved'))
  before.capture = () => void reports.set(paymentId, { ...wallet, receipts: [receiptOf(`capture-${orderId}`)] })
  await test.ask(capturePayment, { orderId, paymentId })
  return { orderId, paymentId }
}

it('the payer of a blocked PayPal account who orders under new names pays, and then a person decides', async () => {
  const test = await shop({ env: { DELIVERY: 'instant' } })
  const first = await payByWallet(test, buyer)
  expect((await test.order(first.orderId)).life.kind).toBe('completed')
  await test.block(first.orderId, ['payer'])
  const second = await payByWallet(test, stranger)
  expect((await test.order(second.orderId)).life.kind).toBe('open')
  expect(await test.reasons(second.orderId)).toEqual(['buyer-blocked'])
  expect(await test.typesOf(second.orderId)).toContain('PaymentReceived')
  await test.ask(approveOrder, { orderId: second.orderId, adminId: 'owner' })
  expect((await test.order(second.orderId)).life.kind).toBe('completed')
})

it('a payer whom PayPal does not name cannot be blocked, and the refusal says what to do', async () => {
  const test = await shop()
  const { orderId, paymentId } = await payByWallet(test, buyer)
  test.providers.paypal.reports.set(paymentId, reportOf('received', [receiptOf(`capture-${orderId}`)]))
  expect(await outcomeOf(test.block(orderId, ['email', 'payer']))).toBe('block/payer-unknown')
  expect(await test.blocks()).toEqual([])
})

it('the payer of an order is stored in no event', async () => {
  const test = await shop()
  const { orderId } = await payByWallet(test, buyer)
  expect(JSON.stringify(await test.eventsOf(orderId))).not.toContain('PAYER1')
})

it('a second block of the same e-mail is refused, and a repeat of the first adds nothing', async () => {
  const test = await blockedShop()
  expect(await outcomeOf(test.block(test.orderId, ['email'], 'block-2'))).toBe('block/exists')
  expect(await outcomeOf(test.block(test.orderId))).toBe('done')
  expect(await test.typesOf(BLOCKED_STREAM)).toEqual(['BuyerBlocked'])
})

it('a block ends after 24 months, and a renewed one later', async () => {
  const test = await blockedShop()
  test.pass(700 * DAY_MINUTES)
  await test.sweep()
  expect(await trying(test, buyer)).toBe('order/not-accepted')
  await renewBlock(test.context, 'block-1')
  test.pass(700 * DAY_MINUTES)
  await test.sweep()
  expect(await trying(test, buyer)).toBe('order/not-accepted')
  test.pass(32 * DAY_MINUTES)
  // Also before a sweep has deleted it.
  expect(await trying(test, buyer)).toBe('done')
  await test.sweep()
  expect(await test.blocks()).toEqual([])
  expect((await test.eventsOf(BLOCKED_STREAM)).at(-1)).toMatchObject({
    type: 'BuyerUnblocked',
    data: { adminId: null },
  })
})

const everything = async (vault: Vault, hashes: readonly string[]) =>
  JSON.stringify([await vault.dueNotes('block', { before: Infinity, limit: 9 }), await vault.notes('block', hashes)])

const erase = async (test: TestShop, by: CommandContext = test.context) =>
  eraseCustomer(by, test.caller(), { email: EMAIL, adminId: 'owner', known: knownOrders(test.reader()) })

it('an erasure leaves the hashes of a block, which lead to no order and no name', async () => {
  const test = await blockedShop()
  const { customerId } = (await test.order(test.orderId)).placed
  const hashes = Object.values((await test.blocks())[0]?.hashes ?? {})
  expect(await everything(test.context.vault, hashes)).toContain(test.orderId)
  test.pass(9 * DAY_MINUTES)
  await test.sweep()
  expect(await erase(test)).toMatchObject({ isErased: true, isBlocked: true })
  const left = await everything(test.context.vault, hashes)
  for (const word of [test.orderId, customerId, 'Ash', 'twice', 'gmail']) expect(left).not.toContain(word)
  expect(await trying(test, buyer)).toBe('order/not-accepted')
})

it('a block that is written while its buyer is being erased keeps no order', async () => {
  const test = await shop()
  const { orderId } = (await test.placed(buyer)).placed
  await test.ask(cancelOrder, { orderId })
  test.pass(9 * DAY_MINUTES)
  await test.sweep()
  const { vault } = test.context
  let isErased = false
  const writeNote: Vault['writeNote'] = async (...given) => {
    if (!isErased) {
      isErased = true
      await erase(test)
    }
    return vault.writeNote(...given)
  }
  const by = { ...test.context, vault: { ...vault, writeNote } }
  const request = { ...blocking, blockId: 'block-1', orderId, kinds: ['email'] as const }
  await blockBuyer(by, test.caller(), { ...request, known: knownOrders(test.reader()) })
  expect(isErased).toBe(true)
  expect(await test.blocks()).toMatchObject([{ met: 0 }])
  expect((await test.blocks())[0]?.of).toBeUndefined()
})

it('a restored older vault brings back neither an ended block nor the order of an erased buyer', async () => {
  const test = await blockedShop(['email'])
  const { vault } = test.context
  const [old] = await readBlocks(test.context)
  if (!old) throw new Error('no block')
  test.pass(9 * DAY_MINUTES)
  await test.sweep()
  await erase(test)
  const [now] = await readBlocks(test.context)
  await vault.writeNote('block', old, now?.version ?? 'absent')
  await deleteErased(test.context)
  expect((await test.blocks())[0]?.of).toBeUndefined()

  await test.ask(unblockBuyer, { blockId: 'block-1', adminId: 'owner' })
  await vault.writeNote('block', old, 'absent')
  expect(await deleteEndedBlocks(test.context)).toBe(1)
  expect(await test.blocks()).toEqual([])
})

async function playBlock(fate?: Fate, at = -1) {
  let calls = -1
  const { promise: crashed, resolve } = Promise.withResolvers<void>()
  const meets: Fate = async (make, call) => {
    if (calls < 0 || calls++ !== at || !fate) return make()
    setImmediate(resolve)
    return fate(make, call)
  }
  const test = await shop({ fates: { vault: meets, log: meets } })
  const { orderId } = (await test.placed(buyer)).placed
  const known = { orderIdsOf: async () => [orderId] }
  const request = { ...blocking, blockId: 'block-1', orderId, kinds: ['email'] as const, known }
  calls = 0
  await Promise.race([test.ask(blockBuyer, request), crashed])
  const made = calls
  calls = -1
  if (fate) await blockBuyer(await test.anotherProcess(), test.caller(), request)
  const { kind } = (await test.order(orderId)).life
  return { made, kind, blocks: await test.blocks(), log: await test.typesOf(BLOCKED_STREAM) }
}

it('a block that a crash interrupts at any of its calls is completed by its repeat', async () => {
  const { made, ...whole } = await playBlock()
  expect(whole).toMatchObject({ kind: 'ended', blocks: [{ met: 0 }], log: ['BuyerBlocked'] })
  for (let at = 0; at < made; at += 1)
    for (const fate of [crash, crashAfter]) expect(await playBlock(fate, at), `call ${at}`).toMatchObject(whole)
})
