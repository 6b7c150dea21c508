import { expect, it } from 'vitest'
import { changeAdmin } from '../commands/admin-password.ts'
import { approveOrder } from '../commands/approve-order.ts'
import { crash, crashAfter, type Fate, fails } from '../engines/testing/interposed.ts'
import { usd } from '../domain/money.ts'
import { VaultAway } from '../engines/vault/vault.ts'
import { type Message, MessageRefused, WayAway } from '../messages/message-way.ts'
import { beginAtHead, raiseAlarm, readMessages, turnMessagesOff, turnMessagesOn } from '../shop/message-notes.ts'
import type { Channel } from '../messages/ways.ts'
import { requestLostOrders } from '../shop/lost-orders.ts'
import { testShop, type TestShop, type TestShopOptions } from '../testing/test-shop.ts'
import { messenger } from './messenger.ts'
import { playedWay } from './testing/played-way.ts'

const LOG = 'log-1'
const SECOND = 1 / 60

const away = fails(new WayAway('the server does not answer'))
const works: Fate = async (make) => make()

async function open(options: TestShopOptions = {}) {
  const test = await testShop({ ...options, env: { DELIVERY: 'staff', ...options.env } })
  const [owner, buyers] = [playedWay('telegram'), playedWay()]
  const troubles: string[] = []
  const start = (owning = 'one', logId = LOG, context = test.context) => {
    const channels: Channel[] = [
      { name: 'telegram', way: owner },
      { name: 'buyers', way: buyers },
    ]
    return messenger({
      context,
      logId,
      views: test.reader(),
      channels,
      owner: owning,
      elapsed: () => test.context.clock.now(),
      onTrouble: (error) => troubles.push(String(error)),
      onOff: (why) => troubles.push(why),
    })
  }
  const sender = start()
  /** Lets this many seconds pass, with a turn every half of one. */
  const pass = async (seconds: number, who = sender): Promise<void> => {
    for (let half = 0; half < seconds * 2; half += 1) {
      test.pass(SECOND / 2)
      await who.turn()
    }
  }
  await sender.turn()
  const texts = () => owner.accepted.map(({ text }) => text)
  const subjects = () => buyers.accepted.map(({ subject }) => subject.replace(/: order .*/, ''))
  return { test, owner, buyers, troubles, start, sender, pass, texts, subjects }
}

async function paid(test: TestShop, changes?: Parameters<TestShop['started']>[1]): Promise<string> {
  const { orderId, paymentId } = await test.started('crypto', changes)
  await test.received(orderId, {}, paymentId)
  return orderId
}

it('a paid order is told to the owner once, and mailed to its buyer', async () => {
  const { test, owner, buyers, pass, subjects } = await open()
  const orderId = await paid(test)
  const { orderNumber, totalCents } = (await test.order(orderId)).placed
  await pass(4)
  const message = owner.accepted[0]
  expect(message?.subject).toBe(`Hand over order ${orderNumber}: 100M, ${usd(totalCents)} by crypto (Test shop)`)
  expect(message?.text).toContain(`http://localhost:3000/admin/orders/${orderId}`)
  expect(message?.text).not.toMatch(/ash|example/)
  expect(subjects()).toEqual(['Your payment has arrived'])
  expect(buyers.accepted[0]).toMatchObject({ to: 'ash@example.com' })
  expect(buyers.accepted[0]?.text).toContain(`/order/${orderId}#open=`)
  await pass(60)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([1, 1])
})

it('what came before a way was set is never told', async () => {
  const { test, owner, buyers, pass, start } = await open()
  await paid(test)
  const other = start('one', 'log-2')
  await pass(10, other)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([0, 0])
  await paid(test, { customerEmail: 'misty@example.com' })
  await pass(10, other)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([1, 1])
})

it('orders that come within three seconds are one message', async () => {
  const { test, owner, pass } = await open()
  for (let count = 0; count < 5; count += 1) await paid(test, { customerEmail: `ash${count}@example.com` })
  await pass(4)
  expect(owner.accepted.map(({ subject }) => subject)).toEqual(['5 orders to hand over (Test shop)'])
})

it('what is no longer so is not said', async () => {
  const { test, owner, buyers, pass, subjects } = await open({ env: { DELIVERY: 'instant' } })
  await paid(test)
  await pass(5)
  expect(owner.accepted).toEqual([])
  expect(subjects()).toEqual(['Your coins were delivered'])
  expect(buyers.accepted[0]?.html).toContain('Open your order')
})

it('a buyer reads that part is missing, and then that all has arrived', async () => {
  const { test, pass, subjects, texts } = await open()
  const { orderId } = await test.started('crypto')
  await test.received(orderId, { amount: '4.00' }, 'money-1')
  await pass(4)
  await test.received(orderId, { amount: '6.00' }, 'money-2')
  await pass(4)
  expect(subjects()).toEqual(['Part of your payment is missing', 'Your payment has arrived'])
  expect(texts()[0]).toContain('Paid too little')
})

it('an unpaid order is told to nobody', async () => {
  const { test, owner, buyers, pass } = await open()
  await test.started('crypto')
  test.pass(61)
  await test.sweep()
  await pass(5)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([0, 0])
})

it('after an hour without the way the owner gets one summary, and each buyer one mail', async () => {
  const { test, owner, buyers, troubles, pass, sender, texts, subjects } = await open()
  owner.meet = away
  buyers.meet = away
  await paid(test)
  await paid(test, { customerEmail: 'misty@example.com' })
  for (let minute = 0; minute < 70; minute += 1) {
    test.pass(1)
    await sender.turn()
  }
  expect(owner.accepted).toEqual([])
  owner.meet = works
  buyers.meet = works
  test.pass(2)
  await pass(10)
  expect(troubles.at(-1)).toContain('WayAway')
  expect(texts()).toHaveLength(1)
  expect(texts()[0]).toContain('Messages were held up. 2 orders to hand over.')
  expect(subjects()).toEqual(['Your payment has arrived', 'Your payment has arrived'])
  const [telegram] = (await readMessages(test.context, [owner, buyers])).ways
  expect(telegram).toMatchObject({ lastError: null, lastSentAt: expect.any(String) as string })
})

it('a buyer gets no mail about an event older than a day', async () => {
  const { test, buyers, pass } = await open()
  await paid(test)
  test.pass(25 * 60)
  await pass(5)
  expect(buyers.accepted).toEqual([])
})

it('one recipient that is always refused is tried for a day, and keeps no other from theirs', async () => {
  const { test, buyers, sender, pass } = await open()
  const tries: string[] = []
  buyers.meet = async (accept, { given: [message] }) => {
    const { to } = message as Message
    if (to !== 'full@example.com') return accept()
    tries.push(to)
    throw new MessageRefused('the mailbox is full')
  }
  const orderId = await paid(test, { customerEmail: 'full@example.com' })
  await paid(test)
  await pass(2)
  expect(buyers.accepted.map(({ to }) => to)).toEqual(['ash@example.com'])
  for (let minute = 0; minute < 26 * 60; minute += 1) {
    test.pass(1)
    await sender.turn()
  }
  expect(tries.length).toBeGreaterThan(20)
  expect(tries.length).toBeLessThan(40)
  const { ways } = await readMessages(test.context, [buyers])
  expect(ways[0]).toMatchObject({ waiting: 0, givenUp: 1 })
  expect((await test.context.vault.notes('message', [orderId])).length).toBe(0)
})

it('a later mail of an order waits behind one that failed', async () => {
  const { test, buyers, pass, subjects } = await open()
  buyers.meet = fails(new MessageRefused('not now'))
  const { orderId } = await test.started('crypto')
  await test.received(orderId, { amount: '4.00' }, 'money-1')
  await pass(2)
  buyers.meet = works
  await test.received(orderId, { amount: '6.00' }, 'money-2')
  await pass(2)
  expect(subjects()).toEqual([])
  await pass(60)
  // That a part is missing is not true any more.
  expect(subjects()).toEqual(['Your payment has arrived'])
})

it('sold out is told once when it begins and once when it ends', async () => {
  const { test, pass, texts } = await open()
  await test.setStock(0)
  await pass(40)
  expect(texts()).toEqual([expect.stringContaining('Sold out')])
  await pass(40)
  await test.setStock(50)
  await pass(40)
  expect(texts()).toEqual([expect.stringContaining('Sold out'), expect.stringContaining('In stock again: 50M left')])
})

it('nothing is sent after messages were turned off or under another address, and on begins with what comes next', async () => {
  const { test, owner, buyers, troubles, pass } = await open()
  await turnMessagesOff(test.context.vault)
  await paid(test)
  await pass(5)
  expect([owner.accepted.length, buyers.accepted.length, troubles]).toEqual([0, 0, ['turned-off']])
  expect((await turnMessagesOn({ ...test.context, logId: LOG }, 'https://else.example')).passedOver).toBeGreaterThan(2)
  await pass(5)
  expect(troubles).toEqual(['turned-off', 'another-address'])
  const { passedOver } = await turnMessagesOn({ ...test.context, logId: LOG }, test.context.config.PUBLIC_URL)
  expect(passedOver).toBe(0)
  await pass(5)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([0, 0])
  await paid(test, { customerEmail: 'misty@example.com' })
  await pass(5)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([1, 1])
})

it('of two processes one sends, and the other once it has been silent for five seconds', async () => {
  const { test, owner, pass, start } = await open()
  const other = start('two')
  await pass(1, other)
  await paid(test)
  await pass(3, other)
  expect(owner.accepted).toEqual([])
  await pass(7, other)
  expect(owner.accepted).toHaveLength(1)
})

it('who lost an order is mailed the links of those at which money was seen, three times a day at most', async () => {
  const { test, buyers, pass } = await open()
  const orderId = await paid(test)
  await test.started('crypto')
  await pass(2)
  buyers.accepted.length = 0
  for (let asked = 0; asked < 5; asked += 1) {
    await requestLostOrders(test.context, ' ASH@example.com')
    await pass(2)
  }
  await requestLostOrders(test.context, 'stranger@example.com')
  await pass(2)
  expect(buyers.accepted.map(({ subject, to }) => [subject, to])).toEqual(
    Array.from({ length: 3 }, () => ['Your order', 'ash@example.com']),
  )
  expect(buyers.accepted[0]?.text).toContain(`/order/${orderId}#open=`)
  expect(buyers.accepted[0]?.text.match(/#open=/g)).toHaveLength(1)
})

it('an order that was handed over meanwhile is not told, and an erased buyer gets no mail', async () => {
  const { test, owner, buyers, pass } = await open()
  buyers.meet = away
  const orderId = await paid(test)
  await test.ask(approveOrder, { orderId, adminId: 'owner' })
  await pass(5)
  expect(owner.accepted).toEqual([])
  const { customerId } = (await test.order(orderId)).placed
  await test.context.vault.deleteCustomers([customerId])
  buyers.meet = works
  await pass(60)
  expect(buyers.accepted).toEqual([])
})

it.each([
  ['before', crash],
  ['after', crashAfter],
])('killed %s each of its calls, each message is sent, and doubled once at most', async (_when, death) => {
  let calls = 0
  for (let fatal = 0; ; fatal += 1) {
    const [dead, isArmed] = [Promise.withResolvers<true>(), { value: false }]
    let left = fatal
    const dies: Fate = async (make, call) => {
      if (!isArmed.value || left-- > 0) return make()
      isArmed.value = false
      dead.resolve(true)
      return death(make, call)
    }
    const { test, owner, buyers, start, pass } = await open({ fates: { vault: dies } })
    for (const way of [owner, buyers]) way.meet = dies
    const orderIds = [await paid(test), await paid(test, { customerEmail: 'misty@example.com' })]
    isArmed.value = true
    if (!(await Promise.race([dead.promise, pass(5).then(() => false)]))) break
    calls += 1
    await pass(20, start('two'))
    for (const orderId of orderIds) {
      const mails = buyers.accepted.filter(({ id }) => id.startsWith(orderId)).length
      const told = owner.accepted.filter(({ text }) => text.includes(orderId)).length
      for (const count of [mails, told]) expect([fatal, count === 1 || count === 2]).toEqual([fatal, true])
    }
  }
  expect(calls).toBeGreaterThan(20)
})

it('what was sent while the vault could not be written is not sent again', async () => {
  let isAway = false
  const vault: Fate = async (make, { name }) => {
    if (isAway && name === 'writeNote') throw new VaultAway('played')
    return make()
  }
  const { test, owner, buyers, pass } = await open({ fates: { vault } })
  await paid(test)
  // The lease was renewed just now.
  for (const way of [owner, buyers])
    way.meet = async (accept) => {
      isAway = true
      return accept()
    }
  await pass(6)
  expect([owner.accepted.length + buyers.accepted.length > 0, isAway]).toEqual([true, true])
  const counts = [owner.accepted.length, buyers.accepted.length]
  isAway = false
  await pass(30)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual(counts.map(() => 1))
})

it('a way that stops in the middle is given each mail once', async () => {
  const { test, buyers, pass } = await open()
  await test.setStock(1_200)
  for (let count = 0; count < 12; count += 1) await paid(test, { customerEmail: `ash${count}@example.com` })
  buyers.meet = async (accept, message) => (buyers.accepted.length < 10 ? accept() : away(accept, message))
  await pass(5)
  expect(buyers.accepted).toHaveLength(10)
  buyers.meet = works
  await pass(60)
  expect(new Set(buyers.accepted.map(({ to }) => to)).size).toBe(12)
  expect(buyers.accepted).toHaveLength(12)
})

it('an alarm is told once each time, and not when it is old', async () => {
  const { test, pass, texts } = await open()
  const raise = async () => raiseAlarm(test.context.vault, 'wrong-codes', test.context.clock.now())
  await raise()
  await pass(10)
  expect(texts()).toEqual([expect.stringContaining('Five wrong login codes after the right password')])
  test.pass(20)
  await raise()
  await pass(10)
  expect(texts()).toHaveLength(2)
  await raise()
  test.pass(25 * 60)
  await pass(10)
  expect(texts()).toHaveLength(2)
})

it('after the log lost its end, only what comes then is told', async () => {
  const { test, owner, buyers, pass, start } = await open()
  await paid(test)
  await beginAtHead(test.context.vault)
  const restarted = start()
  await pass(6, restarted)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([0, 0])
  await paid(test, { customerEmail: 'misty@example.com' })
  await pass(6, restarted)
  expect([owner.accepted.length, buyers.accepted.length]).toEqual([1, 1])
})

it('a login from a new browser is told to the owner, and none from a known one', async () => {
  const { test, pass, texts } = await open()
  const logIn = async (isNewBrowser: boolean) =>
    test.ask(changeAdmin, {
      type: 'StartSession',
      sessionId: test.context.random.uuid(),
      passwordId: 'p1',
      factorId: undefined,
      isNewBrowser,
      expiresAt: '2026-01-02T00:00:00.000Z',
    })
  await test.ask(changeAdmin, { type: 'SetPassword', passwordId: 'p1', replaces: undefined })
  await logIn(false)
  await pass(10)
  expect(texts()).toEqual([])
  await logIn(true)
  await pass(10)
  expect(texts()).toEqual([expect.stringMatching(/Login from a new browser at 2026-01-01 00:0\d UTC/)])
  await logIn(true)
  await logIn(true)
  await pass(10)
  expect(texts()[1]).toMatch(/2 logins from new browsers, the last at/)
})
