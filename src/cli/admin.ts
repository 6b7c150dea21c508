import { assembleShop } from '../process/assemble-shop.ts'
import { acceptLostCustomers } from '../commands/accept-lost-customers.ts'
import { setAdminPassword } from '../commands/admin-password.ts'
import { resetSecondFactor } from '../commands/second-factor.ts'
import { BLOCK_STAYS, customersOf, eraseCustomer, type KnownOrders } from '../commands/erase-customer.ts'
import { settleUnplacedReceipt } from '../commands/settle-unplaced-receipt.ts'
import { type Config, ConfigError } from '../config.ts'
import { type UnplacedOutcome, unplacedOutcomes } from '../domain/words.ts'
import { personalDataOfOrder } from '../domain/order/buyer-texts.ts'
import { orderStream } from '../domain/stream-names.ts'
import { dropViewsOfOthers, type Engines, headsOf, openShopEngines } from '../process/shop-engines.ts'
import { isLogFile } from '../engines/open-engines.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { listUnplaced } from '../projections/payments.ts'
import type { Views } from '../projections/shop-views.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import { assertAllReadable } from '../shop/known-buyers.ts'
import { beginAtHead, turnMessagesOn } from '../shop/message-notes.ts'
import { namedLog, nameLog } from '../shop/log-head.ts'
import { worldOf } from '../process/world.ts'
import { configOfShop } from './config-of-shop.ts'
import { type Lines, linesFrom, newPasswordFrom, say } from './lines.ts'
import { goOnWithout, staff, whatIsLost } from './lost-events.ts'
import { UsageError } from './program.ts'

const PASSWORD_MIN = 10
/** The login refuses longer ones. */
const PASSWORD_MAX = 1_000
/** Orders named per person. */
const NAMED_MAX = 10
/** Payments listed at once. */
const MONEY_MAX = 100
/** Time for a running shop to fold what was just appended. */
const KEPT_UP_MS = 5_000

export async function setPassword(): Promise<void> {
  const config = await configOfShop()
  const password = process.env['ADMIN_NEW_PASSWORD'] ?? (await newPasswordFrom(process.stdin))
  if (password === undefined) throw new Error('the two passwords differ; nothing was changed')
  if (password.length < PASSWORD_MIN) throw new Error(`a password needs at least ${PASSWORD_MIN} characters`)
  if (password.length > PASSWORD_MAX) throw new Error(`a password has at most ${PASSWORD_MAX} characters`)
  await withEngines(config, { leavesViews: true }, async (engines) => {
    const { context } = assembleShop(engines, worldOf(config))
    await context.hot.admin.refresh()
    await setAdminPassword(context, staff(), password)
  })
  say('The new password is in force; every session has ended.')
}

export async function resetSecondFactorHere(): Promise<void> {
  const config = await configOfShop()
  await withLines(async (lines) => {
    await withEngines(config, { leavesViews: true }, async (engines) => {
      const { context } = assembleShop(engines, worldOf(config))
      process.stderr.write(
        'Logins then need the password alone, until codes are turned on again; every session ends.\n',
      )
      await assertConfirmed(lines, 'Type yes to turn login codes off: ', 'Nothing was changed.')
      const { wasRequired } = await resetSecondFactor(context, staff())
      say(wasRequired ? 'Login codes are off. Turn them on again in the settings.' : 'No login codes were on.')
    })
  })
}

export async function erase(): Promise<void> {
  const config = await configOfShop()
  await withLines(async (lines) => {
    const email = await lines.ask('E-mail of the person to erase: ')
    if (!email.includes('@')) throw new Error('that is no e-mail address')
    await withEngines(config, { leavesViews: true }, async (engines) => {
      const { context } = assembleShop(engines, worldOf(config))
      await context.hot.load()
      const views = await viewsOf(engines, config)
      const known = knownOrders(views)
      await assertAllReadable(context)
      process.stderr.write(`${await erasureSummary(context, known, email)}\n`)
      await assertConfirmed(lines, 'Type yes to erase this person: ', 'Nothing was erased.')
      const { isErased, isBlocked, position } = await eraseCustomer(context, staff(), {
        email,
        adminId: ADMIN_ID,
        known,
      })
      if (!isErased)
        throw new Error('Not yet erased: an order is just being placed; the running shop goes on in a few minutes.')
      if (!(await views.waitFor(position, KEPT_UP_MS)))
        throw new Error('Erased, but the views still name this person: start the shop, which wipes them.')
      say('Erased: the orders of this person have no buyer any more. The running shop wipes the views within minutes.')
      if (isBlocked) say(BLOCK_STAYS)
    })
  })
}

async function erasureSummary(
  context: Pick<Engines, 'log' | 'vault' | 'keys'>,
  known: KnownOrders,
  email: string,
): Promise<string> {
  const head = await context.log.head()
  const orderIds: string[] = []
  for (const customerId of await customersOf(context, email))
    orderIds.push(...(await known.orderIdsOf(customerId, head)))
  const numbers: string[] = []
  for (const orderId of orderIds.slice(0, NAMED_MAX)) {
    const [placed] = await context.log.readStream(orderStream(orderId), 0, 1)
    if (placed?.type === 'OrderPlaced') numbers.push(placed.data.orderNumber)
  }
  const more = orderIds.length > NAMED_MAX ? `, and ${orderIds.length - NAMED_MAX} more` : ''
  const count = orderIds.length === 1 ? '1 order' : `${orderIds.length} orders`
  const orders = orderIds.length === 0 ? 'no order' : `${count}: ${numbers.join(', ')}${more}`
  return `The ${personalDataOfOrder} of this person become unreadable for ever in every order and event (${orders}). Money and counts stay.`
}

export async function acceptLoss(): Promise<void> {
  const config = await configOfShop()
  await withLines(async (lines) =>
    withEngines(config, { mayHaveLostEvents: true }, async (engines) => {
      const heads = await headsOf(engines)
      const customers = await acceptLostCustomers(engines, { isTrial: true })
      const hasLostEnd = heads.knownHead > heads.head
      const isNamed = (await namedLog(engines.vault)) === engines.logId
      const end = `The log ends at position ${Number(heads.head)}`
      const events = hasLostEnd
        ? `${end}; ${whatIsLost(heads, { isFile: isLogFile(config) })}.`
        : `${end}; vault and views know of nothing after it.`
      process.stderr.write(`${events} ${customers} customers whom the vault does not know will count as erased.\n`)
      if (!isNamed)
        process.stderr.write(
          'The vault names ANOTHER log: the shop has left this one, or log copy into it has not ended. Going on with it then loses every order since.\n',
        )
      await assertConfirmed(
        lines,
        lossQuestion({ isNamed, isKnown: hasLostEnd || customers > 0 }),
        'Nothing was changed.',
      )
      if (!isNamed) await nameLog(engines.vault, engines.logId)
      // An older vault with a whole log has lost no event.
      if (hasLostEnd || (isNamed && customers === 0)) await goOnWithout(engines, heads)
      await acceptLostCustomers(engines)
      await beginAtHead(engines.vault)
      say('The shop goes on with what is left. Start it: the views are brought up to date.')
    }),
  )
}

function lossQuestion({ isNamed, isKnown }: { isNamed: boolean; isKnown: boolean }): string {
  if (!isNamed) return 'Type yes only if an older vault was put back and this is the log of the shop: '
  return isKnown ? 'Type yes to go on without: ' : 'Type yes only if an older copy of log and vault was put back: '
}

/** Lists payments whose order is not in the log, or settles one of them. */
export async function unplaced(payment: string | undefined, outcome: UnplacedOutcome | undefined): Promise<void> {
  const config = await configOfShop()
  await withEngines(config, { leavesViews: true }, async (engines) => {
    if (payment === undefined) return listMoney(await viewsOf(engines, config))
    const [provider = '', ...id] = payment.split('/')
    if (id.length === 0 || outcome === undefined)
      throw new UsageError(`give PROVIDER/ID, as it is listed, and what was done: ${unplacedOutcomes.join(', ')}`)
    const { context } = assembleShop(engines, worldOf(config))
    await settleUnplacedReceipt(context, staff(), { provider, receiptId: id.join('/'), outcome, adminId: ADMIN_ID })
    say('Settled: this money pays no order any more.')
  })
}

export async function turnMessagesOnAgain(): Promise<void> {
  const config = await configOfShop()
  if (config.MESSAGES === 'off') throw new ConfigError('MESSAGES is off: remove it first')
  await withEngines(config, { leavesViews: true }, async (engines) => {
    const { passedOver } = await turnMessagesOn(engines, config.PUBLIC_URL)
    say(`Messages are on for ${config.PUBLIC_URL}, from now on. ${passedOver} events before are not told.`)
  })
}

async function listMoney(views: Views): Promise<void> {
  const { payments, total } = await listUnplaced(views, { limit: MONEY_MAX })
  for (const { provider, receiptId, amount, currency, at, reference } of payments)
    say(`${provider}/${receiptId}: ${amount} ${currency.toUpperCase()}, came ${at}, reference ${reference}`)
  if (total > payments.length) say(`and ${total - payments.length} newer ones, shown once these are settled`)
  say(
    payments.length === 0
      ? 'There is no money without an order.'
      : 'Look each up at its provider, pay it back or give the coins, and settle it: admin unplaced PROVIDER/ID OUTCOME',
  )
}

async function withLines(work: (lines: Lines) => Promise<void>): Promise<void> {
  const lines = linesFrom(process.stdin)
  try {
    await work(lines)
  } finally {
    lines.close()
  }
}

async function assertConfirmed(lines: Lines, question: string, otherwise: string): Promise<void> {
  if ((await lines.ask(question)) !== 'yes') throw new Error(otherwise)
}

async function withEngines(
  config: Config,
  options: Parameters<typeof openShopEngines>[1],
  work: (engines: Engines) => Promise<void>,
): Promise<void> {
  const engines = await openShopEngines(config, options)
  try {
    await work(engines)
  } finally {
    await engines.close()
  }
}

/** The running shop's views; this process folds nothing. */
async function viewsOf(engines: Engines, config: Config): Promise<Views> {
  await dropViewsOfOthers(engines)
  const views = assembleShop(engines, worldOf(config)).reader()
  if (await views.waitFor(await engines.log.head(), KEPT_UP_MS)) return views
  throw new Error('the views are behind the log: start the shop, and try again when /readyz is green')
}
