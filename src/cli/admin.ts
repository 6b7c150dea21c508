import { setAdminPassword } from '../commands/admin-password.ts'
import { acceptLostCustomers } from '../commands/accept-lost-customers.ts'
import { customersOf, eraseCustomer, type KnownOrders } from '../commands/erase-customer.ts'
import { ADMIN_ID, hotStates } from '../shop/hot/hot-states.ts'
import { assertAllReadable } from '../shop/known-buyers.ts'
import { type Config, parseConfig } from '../config.ts'
import { assertShop, dropViewsOfOthers, type Engines, headsOf, openEngines } from '../engines.ts'
import { isLogFile } from '../log-engines.ts'
import { orderStream } from '../domain/stream-names.ts'
import type { Position } from '../event-store/event-store.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { forgetErased } from '../projector/housekeeping.ts'
import { projectionRunner } from '../projector/runner.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { viewReader } from '../projector/view-reader.ts'
import { type ViewStore, ViewStoreAway } from '../view-store/view-store.ts'
import { systemClock, systemRandom } from '../system.ts'
import { commandOfVerbs, runCommand, type Verb } from './command-line.ts'
import { type Lines, linesFrom, newPasswordFrom } from './lines.ts'
import { goOnWithout, staff, whatIsLost } from './lost-events.ts'

const PASSWORD_MIN = 10
/** Longer ones are refused by the login. */
const PASSWORD_MAX = 1_000
/** Orders named per person. */
const NAMED_MAX = 10
/** Until then a set may be folded up to the erasure. */
const FORGET_MS = 60_000
const WIPE_ATTEMPTS = 5
const WIPE_PAUSE_MS = 1_000
/** Timeout for views that are being built. */
const VIEWS_TIMEOUT_MS = 600_000
/** Until then a running shop has folded what it has just appended. */
const KEPT_UP_MS = 3_000

interface Outcome {
  readonly line: string
  readonly code: 0 | 1 | 3
}

await runCommand(
  commandOfVerbs({
    name: 'admin',
    does: 'does what only who has the files of the shop may do',
    verbs: {
      'set-password': verb('sets a new password for the owner; every session ends', setPassword),
      erase: verb(
        'erases a person; asks for the e-mail, says what is erased, and asks; refused while an order still needs its buyer',
        erase,
      ),
      'accept-loss': verb(
        'after an older copy was put back, or the log lost its end: says what is lost, asks, and lets the shop go on with what is left',
        acceptLoss,
      ),
    },
    notes: `The shop may be running, but for accept-loss. The password is read from ADMIN_NEW_PASSWORD, or asked for, unseen and twice on a terminal; it needs at
least 10 characters. What is asked for is read from stdin, line by line.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage or no shop, 3 erasing has begun and goes on by itself while the shop runs.`,
  }),
)

function verb(does: string, run: (config: Config) => Promise<Outcome>): Verb {
  return {
    does,
    async run() {
      const config = parseConfig(process.env)
      await assertShop(config)
      const { line, code } = await run(config)
      const out = code === 1 ? process.stderr : process.stdout
      out.write(`${line}\n`)
      return code
    },
  }
}

async function setPassword(config: Config): Promise<Outcome> {
  const password = process.env['ADMIN_NEW_PASSWORD'] ?? (await newPasswordFrom(process.stdin))
  if (password === undefined) return { line: 'the two passwords differ; nothing was changed', code: 1 }
  if (password.length < PASSWORD_MIN) return { line: `a password needs at least ${PASSWORD_MIN} characters`, code: 1 }
  if (password.length > PASSWORD_MAX) return { line: `a password has at most ${PASSWORD_MAX} characters`, code: 1 }
  return withEngines(config, async ({ log, vault }) => {
    const hot = hotStates({ log, clock: systemClock, random: systemRandom })
    await hot.admin.refresh()
    const shop = { log, vault, hot, clock: systemClock, random: systemRandom }
    await setAdminPassword(shop, staff(), password)
    return { line: 'The new password is in force; every session has ended.', code: 0 }
  })
}

async function erase(config: Config): Promise<Outcome> {
  const lines = linesFrom(process.stdin)
  try {
    const email = await lines.ask('E-mail of the person to erase: ')
    if (!email.includes('@')) return { line: 'that is no e-mail address', code: 1 }
    return await withEngines(config, async (engines) => {
      const views = personViews(engines, config)
      await views.bringTo(await engines.log.head())
      return eraseWhenSure(engines, views, { email, lines })
    })
  } finally {
    lines.close()
  }
}

async function eraseWhenSure(
  { log, vault, keys, views: store }: Engines,
  { views, bringTo }: ReturnType<typeof personViews>,
  { email, lines }: { email: string; lines: Lines },
): Promise<Outcome> {
  const shop = { log, vault, keys, clock: systemClock, random: systemRandom }
  const known = knownOrders(views)
  await assertAllReadable(shop)
  process.stderr.write(`${await whatIsErased(shop, known, email)}\n`)
  if ((await lines.ask('Type yes to erase this person: ')) !== 'yes') return { line: 'Nothing was erased.', code: 1 }
  const { isErased, position } = await eraseCustomer(shop, staff(), { email, adminId: ADMIN_ID, known })
  await bringTo(position)
  const isWiped = await forgotten(store, position)
  if (isErased && !isWiped)
    return { line: 'Erased. Another process reads the views: the running shop wipes the last bytes of them.', code: 3 }
  if (isErased) return { line: 'Erased: nobody can read any more who placed the orders of this person.', code: 0 }
  return { line: 'An order is just being placed; the shop goes on erasing by itself in a few minutes.', code: 3 }
}

/** Leaves nothing of this person in any set, but where another process reads the views all the while. */
async function forgotten(store: ViewStore, position: Position): Promise<boolean> {
  for (let attempt = 0; attempt < WIPE_ATTEMPTS; attempt += 1)
    try {
      await forgetErased(store, position, { timeoutMs: FORGET_MS, sleep: systemClock.sleep })
      return true
    } catch (error) {
      if (!(error instanceof ViewStoreAway)) throw error
      await systemClock.sleep(WIPE_PAUSE_MS)
    }
  return false
}

async function whatIsErased(
  shop: Pick<Engines, 'log' | 'vault' | 'keys'>,
  known: KnownOrders,
  email: string,
): Promise<string> {
  const head = await shop.log.head()
  const orderIds: string[] = []
  for (const customerId of await customersOf(shop, email)) orderIds.push(...(await known.orderIdsOf(customerId, head)))
  const numbers: string[] = []
  for (const orderId of orderIds.slice(0, NAMED_MAX)) {
    const [placed] = await shop.log.readStream(orderStream(orderId), 0, 1)
    if (placed?.type === 'OrderPlaced') numbers.push(placed.data.orderNumber)
  }
  const more = orderIds.length > NAMED_MAX ? `, and ${orderIds.length - NAMED_MAX} more` : ''
  const count = orderIds.length === 1 ? '1 order' : `${orderIds.length} orders`
  const orders = orderIds.length === 0 ? 'no order' : `${count}: ${numbers.join(', ')}${more}`
  return `E-mail, chat names and market ids become unreadable for ever in every order and event of this person (${orders}). Money and counts stay.`
}

async function acceptLoss(config: Config): Promise<Outcome> {
  const lines = linesFrom(process.stdin)
  try {
    return await withEngines(
      config,
      async (engines) => {
        const heads = await headsOf(engines)
        const customers = await acceptLostCustomers(engines, { isTrial: true })
        const hasLostEnd = heads.knownHead > heads.head
        const end = `The log ends at position ${Number(heads.head)}`
        const events = hasLostEnd
          ? `${end}; ${whatIsLost(heads, { isFile: isLogFile(config) })}.`
          : `${end}; vault and views know of nothing after it.`
        const buyers = `${customers} customers whom the vault does not know will count as erased.`
        const question =
          hasLostEnd || customers > 0
            ? 'Type yes to go on without: '
            : 'Type yes only if an older copy of log and vault was put back: '
        process.stderr.write(`${events} ${buyers}\n`)
        if ((await lines.ask(question)) !== 'yes') return { line: 'Nothing was changed.', code: 1 }
        // An older vault beside a whole log has lost no event.
        if (hasLostEnd || customers === 0) await goOnWithout(engines, heads)
        await acceptLostCustomers(engines)
        return { line: 'The shop goes on with what is left. Start it: the views are brought up to date.', code: 0 }
      },
      { mayHaveLostEvents: true },
    )
  } finally {
    lines.close()
  }
}

async function withEngines(
  config: Config,
  work: (engines: Engines) => Promise<Outcome>,
  options: Parameters<typeof openEngines>[1] = { leavesViews: true },
): Promise<Outcome> {
  const engines = await openEngines(config, options)
  try {
    return await work(engines)
  } finally {
    await engines.close()
  }
}

/** The views; `bringTo` waits for the running shop, and where none runs folds in this process. */
function personViews(engines: Engines, { SHOP_TIME_ZONE: timeZone }: Config) {
  const { log, logId, views: store } = engines
  const [projections, shape] = [shopProjections({ timeZone }), shapeOf({ timeZone })]
  const views = viewReader({ store, shape, projections, now: () => performance.now() })

  async function bringTo(position: Position): Promise<void> {
    await dropViewsOfOthers(engines)
    if (await views.waitFor(position, KEPT_UP_MS)) return
    const clock = { now: () => performance.now(), sleep: async (ms: number) => systemClock.sleep(ms) }
    const runner = projectionRunner({ log, logId, store, shape, projections, clock })
    const running = runner.start()
    try {
      if (!(await runner.waitFor(position, VIEWS_TIMEOUT_MS)))
        throw new Error('the views are not up to date yet; start the shop, wait until /readyz is green, and try again')
    } finally {
      await runner.stop()
      await running
    }
  }

  return { views, bringTo }
}
