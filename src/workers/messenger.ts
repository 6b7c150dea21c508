import { once } from 'node:events'
import { LRUCache } from 'lru-cache'
import { readinessOf } from '../domain/order/order-state.ts'
import { orderIdOf } from '../domain/stream-names.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import type { VaultNote } from '../engines/vault/vault.ts'
import { lastPosition, type RecordedEvent, type UnreadableEvent } from '../log/event-log.ts'
import { logPages } from '../log/log-pages.ts'
import { MessageRefused, WayAway } from '../messages/message-way.ts'
import type { Channel, ChannelName } from '../messages/ways.ts'
import { backOffMs } from '../ports/back-off.ts'
import { countNeedingAttention } from '../projections/orders.ts'
import { countToDeliver } from '../projections/to-deliver.ts'
import { ViewBehind, type Views } from '../projections/shop-views.ts'
import type { CommandContext } from '../shop/command-context.ts'
import {
  channelId,
  type ChannelState,
  type FailedMails,
  type MessagesOff,
  isOldAlarm,
  newChannel,
  NotesMoved,
  STATE,
  stateId,
  whyMessagesOff,
} from '../shop/message-notes.ts'
import { findRequestOf, isOldCount } from '../shop/lost-orders.ts'
import { shopName } from '../shop/shop-facts.ts'
import { type Notice, ownerMessage, type OwnerNews } from '../words/owner-messages.ts'
import { buyerMails, mailsWanted } from './buyer-mails.ts'
import { judgeStates } from './message-states.ts'
import { vaultLeases } from './vault-leases.ts'

const LEASE = 'messages'
const TURN_MS = 500
const RETRY = { from: 2_000, max: 60_000 }
/** What comes within this time is one message to the owner. */
const GATHERED_MS = 3_000
/** What waited longer is only counted for the owner. */
const OLD_FOR_OWNER_MS = 3_600_000
const OLD_FOR_BUYERS_MS = 86_400_000
/** A state is told once it has held for this long. */
const STATE_SETTLES_MS = 30_000
const VIEWS_WAIT_MS = 5_000
const EVENTS_AT_ONCE = 200
const ORDERS_IN_NEWS_MAX = 500
const SENT_AT_ONCE = 10
const FAILURES_AT_ONCE = 50
const FAILURE_RETRY = { from: 60_000, max: 3_600_000 }
const SENT_KNOWN_MAX = 10_000
const STATES_MAX = 1_000

interface MessengerOptions {
  readonly context: CommandContext
  readonly logId: string
  readonly views: Views
  readonly channels: readonly Channel[]
  /** This process, among all that may send. */
  readonly owner: string
  /** Milliseconds by a clock that is never set. */
  readonly elapsed: () => number
  readonly onTrouble: (error: unknown, channel: ChannelName | undefined) => void
  readonly onOff: (why: MessagesOff) => void
}

interface Messenger {
  start(): void
  /** One turn of everything, for tests and the simulation. */
  turn(): Promise<void>
  stop(): Promise<void>
}

/** A channel as this process uses it. */
interface Sending extends Channel {
  stored: { readonly state: ChannelState; readonly version: number | 'absent' } | undefined
  /** The state after what was sent, until the vault has it. */
  unsaved: ChannelState | undefined
  failures: number
  restUntil: number
  gatherUntil: number | undefined
}

interface ShopState {
  readonly since: number
  readonly begins: string
}

interface ShopStates {
  readonly present: ReadonlyMap<string, ShopState>
  readonly ends: ReadonlyMap<string, string | undefined>
}

/**
 * Tells owner and buyers what happened, from the log on. One process at a time, by a lease in the vault. A message is sent at least once, and
 * once more at most for each kill or pause of the process that sends it: what is sent is stored after it.
 */
// oxlint-disable-next-line max-lines-per-function -- two kinds of channels that share a lease, the vault and what was sent
export function messenger({ context, ...options }: MessengerOptions): Messenger {
  const { logId, views, elapsed, onTrouble, onOff } = options
  const { log, vault, clock, config } = context
  const mails = buyerMails(context, views)
  const leases = vaultLeases(vault, { owner: options.owner, now: elapsed })
  const sendings = options.channels.map((channel) => newSending(channel))
  const sent = new LRUCache<string, true>({ max: SENT_KNOWN_MAX })
  const verdicts = new Map<string, { readonly verdict: string; readonly since: number }>()
  let states: ShopStates = { present: new Map(), ends: new Map() }
  let isSender = false
  let isTroubled = false
  let off: MessagesOff | null = null
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  let running: Promise<unknown> = Promise.resolve()

  /** Whether this process sends now. */
  async function lead(): Promise<void> {
    isSender = false
    try {
      if (!(await leases.hold(LEASE))) return forgetAll()
      const why = await whyMessagesOff(vault, config)
      if (why !== null && why !== off) onOff(why)
      off = why
      if (why !== null) return forgetAll()
      states = await judge()
      isSender = true
      isTroubled = false
    } catch (error) {
      if (!isTroubled) onTrouble(error, undefined)
      isTroubled = true
    }
  }

  function forgetAll(): void {
    for (const sending of sendings) Object.assign(sending, newSending(sending))
  }

  /** Stores which states of the shop began or ended. */
  async function judge(): Promise<ShopStates> {
    const now = clock.now()
    const notes = await vault.dueNotes('state', { before: now + 1, limit: STATES_MAX })
    for (const note of notes) if (isOldCount(note) || isOldAlarm(note, now)) await vault.deleteNote('state', note)
    const kept = new Map(notes.filter(({ id }) => id.startsWith(STATE)).map((note) => [note.id, note]))
    const present = new Map<string, ShopState>()
    const ends = new Map<string, string | undefined>()
    for (const { kind, verdict, begins, ends: ending } of judgeStates(context)) {
      const known = verdicts.get(kind)
      if (known?.verdict !== verdict) verdicts.set(kind, { verdict, since: elapsed() })
      const isSettled = elapsed() - (verdicts.get(kind)?.since ?? 0) >= STATE_SETTLES_MS
      const id = stateId(kind)
      const note = kept.get(id)
      if (verdict === 'present' && !note && isSettled) {
        if (await vault.writeNote('state', { id, value: {}, due: now }, 'absent'))
          present.set(kind, { since: now, begins })
      } else if (verdict === 'over' && note && isSettled) await vault.deleteNote('state', note)
      else if (note) present.set(kind, { since: note.due ?? now, begins })
      ends.set(kind, ending)
    }
    return { present, ends }
  }

  async function attempt(sending: Sending): Promise<void> {
    if (!isSender || elapsed() < sending.restUntil) return
    try {
      if (sending.unsaved) await save(sending, sending.unsaved)
      if (sending.name !== 'buyers') await tellOwner(sending)
      else while (await mailBuyers(sending));
      sending.failures = 0
    } catch (error) {
      if (error instanceof NotesMoved) return void Object.assign(sending, newSending(sending))
      sending.failures += 1
      const waitMs = error instanceof WayAway ? error.waitMs : 0
      sending.restUntil = elapsed() + Math.max(waitMs, backOffMs(sending.failures, RETRY))
      // The settings show the newest one.
      if (sending.failures === 1) onTrouble(error, sending.name)
      const { state } = sending.stored ?? {}
      if (state && !sending.unsaved && isOfWay(error))
        sending.unsaved = { ...state, lastError: { at: isoTime(clock.now()), text: error.message } }
    }
  }

  async function load(sending: Sending): Promise<ChannelState> {
    if (sending.stored) return sending.stored.state
    const [note] = await vault.notes('state', [channelId(sending.name)])
    const state = note?.value as ChannelState | undefined
    if (note && state?.logId === logId) {
      sending.stored = { state, version: note.version }
      return state
    }
    // A way that is new, or a log that is another: nothing that happened before is told.
    const begun = newChannel(logId, await log.head())
    sending.stored = { state: begun, version: note?.version ?? 'absent' }
    await save(sending, begun)
    return begun
  }

  async function save(sending: Sending, state: ChannelState): Promise<void> {
    sending.unsaved = state
    const version = sending.stored?.version ?? 'absent'
    const note = { id: channelId(sending.name), value: state, due: undefined }
    if (!(await vault.writeNote('state', note, version))) throw new NotesMoved()
    sending.stored = { state, version: version === 'absent' ? 1 : version + 1 }
    sending.unsaved = undefined
  }

  async function assertSender(): Promise<void> {
    if (stopping.signal.aborted || !(await leases.hold(LEASE))) throw new NotesMoved()
  }

  async function tellOwner(sending: Sending): Promise<void> {
    const state = await load(sending)
    const { way } = sending
    const { lines, told } = stateLines(state)
    // Any event may be news: it is looked at once, when the others have come.
    if (sending.gatherUntil === undefined) {
      if (lines.length === 0 && (await log.head()) === state.position) return
      sending.gatherUntil = elapsed() + Math.max(GATHERED_MS, way.pauseMs)
    }
    if (elapsed() < sending.gatherUntil) return
    const { position, logins, ...news } = await newsAfter(state.position)
    const said = [...lines, ...loginLines(logins)]
    const isNews = news.notices.length > 0 || said.length > 0 || news.waiting !== undefined
    if (isNews) {
      const place = { publicUrl: config.PUBLIC_URL, shopName: shopName(context), textMax: way.textMax }
      await assertSender()
      const id = `owner-${sending.name}-${position}`.replaceAll(/[^\w.-]/g, '-')
      await way.send({ id, to: undefined, ...ownerMessage({ ...news, states: said }, place) })
    }
    sending.gatherUntil = undefined
    // A server's head also moves by events of others.
    if (!isNews && position === state.position && told === state.told) return
    await save(sending, { ...state, position, told, ...(isNews && sentNow()) })
  }

  function sentNow(): Pick<ChannelState, 'lastSentAt' | 'lastError'> {
    return { lastSentAt: isoTime(clock.now()), lastError: null }
  }

  /** What waits at the desk; undefined if nothing does. */
  async function waitingAt(position: Position): Promise<OwnerNews['waiting']> {
    if (!(await views.waitFor(position, VIEWS_WAIT_MS))) throw new ViewBehind('orders')
    const { count: toHandOver } = await countToDeliver(views)
    const toLookAt = await countNeedingAttention(views)
    return toHandOver + toLookAt === 0 ? undefined : { toHandOver, toLookAt }
  }

  /** What the owner must do since a position, as far as it is still to be done. */
  async function newsAfter(
    after: Position,
  ): Promise<
    Pick<OwnerNews, 'notices' | 'waiting'> & { readonly position: Position; readonly logins: readonly string[] }
  > {
    const times = new Map<string, Set<string>>()
    const oldBefore = clock.now() - OLD_FOR_OWNER_MS
    const logins: string[] = []
    let position = after
    let isHeldUp = false
    for await (const page of logPages(async (asked) => log.readAll(asked), { after })) {
      for (const event of page) {
        if (event.type === 'SessionStarted' && event.data.isNewBrowser) logins.push(event.data.at)
        const [orderId, at] = [orderIdOf(event.stream), timeOf(event)]
        if (orderId === undefined || at === undefined) continue
        if (Date.parse(at) < oldBefore) isHeldUp = true
        else if (times.has(orderId) || times.size < ORDERS_IN_NEWS_MAX)
          times.set(orderId, (times.get(orderId) ?? new Set()).add(at))
        else isHeldUp = true
      }
      position = lastPosition(page)
      await assertSender()
    }
    const notices: Notice[] = []
    for (const [orderId, ats] of times) {
      const { order } = await context.hot.orders.read(orderId)
      if (order.kind !== 'placed') continue
      const ready = readinessOf(order)
      const reasons = order.attention.filter(({ since }) => ats.has(since)).map(({ reason }) => reason)
      if (reasons.length > 0) notices.push({ order, reasons })
      else if (ready?.deliveryMode === 'staff' && ats.has(ready.since)) notices.push({ order, reasons: [] })
    }
    return { position, logins, notices, waiting: isHeldUp ? await waitingAt(position) : undefined }
  }

  /** The states that this channel has not told, and what it has told then. */
  function stateLines({ told }: ChannelState): { lines: readonly string[]; told: ChannelState['told'] } {
    const { present, ends } = states
    const begun = [...present].filter(([kind, { since }]) => told[kind] !== since)
    const ended = Object.keys(told).filter((kind) => ends.has(kind) && !present.has(kind))
    if (begun.length === 0 && ended.length === 0) return { lines: [], told }
    const left = Object.entries(told).filter(([kind]) => !ended.includes(kind))
    const lines = [...begun.map(([, { begins }]) => begins), ...ended.flatMap((kind) => ends.get(kind) ?? [])]
    return { lines, told: Object.fromEntries([...left, ...begun.map(([kind, { since }]) => [kind, since] as const)]) }
  }

  /** Whether there is more. */
  async function mailBuyers(sending: Sending): Promise<boolean> {
    const state = await load(sending)
    const events = await log.readAll({ after: state.position, limit: EVENTS_AT_ONCE })
    const jobs = await mailJobs(events)
    let [hasSent, givenUp] = [false, 0]
    for (let from = 0; from < jobs.length; from += SENT_AT_ONCE) {
      await assertSender()
      const some = jobs.slice(from, from + SENT_AT_ONCE)
      const tried = await Promise.all(some.map(async (job) => ({ job, outcome: await sendMails(sending, job) })))
      throwIfAllAway(tried)
      for (const { job, outcome } of tried) {
        if (outcome === 'sent') hasSent = true
        if (await keepFailure(job, outcome)) givenUp += 1
      }
    }
    if (events.length === 0 && !hasSent && givenUp === 0) return false
    const position = events.length === 0 ? state.position : lastPosition(events)
    await save(sending, { ...state, ...(hasSent && sentNow()), givenUp: state.givenUp + givenUp, position })
    return events.length === EVENTS_AT_ONCE
  }

  /** One for each order of these events, and of mails that failed and are due. */
  async function mailJobs(events: readonly (RecordedEvent | UnreadableEvent)[]): Promise<MailJob[]> {
    const now = clock.now()
    const fresh = mailsWanted(events).filter(({ at }) => Date.parse(at) >= now - OLD_FOR_BUYERS_MS)
    const wanted = Map.groupBy(fresh, ({ orderId }) => orderId)
    const due = await vault.dueNotes('message', { before: now + 1, limit: FAILURES_AT_ONCE })
    const notes = new Map([...(await vault.notes('message', [...wanted.keys()])), ...due].map((one) => [one.id, one]))
    return [...new Set([...notes.keys(), ...wanted.keys()])].map((id) => {
      const note = notes.get(id)
      const failed = (note?.value ?? { revisions: [], attempts: 0, firstAt: now }) as FailedMails
      const revisions = [...failed.revisions, ...(wanted.get(id) ?? []).map(({ revision }) => revision)]
      return { id, note, failed, revisions: [...new Set(revisions)], waits: (note?.due ?? 0) > now }
    })
  }

  /** Sends the mails of one order, in their order; 'none' if nothing is to be said any more. */
  async function sendMails({ way }: Sending, { id, failed, revisions, waits }: MailJob): Promise<Outcome> {
    if (waits) return 'none'
    let outcome: Outcome = 'none'
    for (const revision of findRequestOf(id) === undefined ? revisions : [undefined]) {
      const message = await (revision === undefined
        ? mails.foundOrders(id, failed.firstAt)
        : mails.messageOf(id, revision))
      if (!message || sent.has(message.id)) continue
      try {
        await way.send(message)
      } catch (error) {
        if (isOfWay(error)) return error
        throw error
      }
      sent.set(message.id, true)
      outcome = 'sent'
    }
    return outcome
  }

  /** Keeps what failed until it is sent or given up; returns whether it is given up. */
  async function keepFailure({ id, note, failed, revisions, waits }: MailJob, outcome: Outcome): Promise<boolean> {
    const isGivenUp = outcome instanceof Error && clock.now() - failed.firstAt >= OLD_FOR_BUYERS_MS
    if (isGivenUp || !(waits || outcome instanceof Error)) {
      if (note && !(await vault.deleteNote('message', note))) throw new NotesMoved()
      return isGivenUp
    }
    if (waits && revisions.length === failed.revisions.length) return false
    const attempts = failed.attempts + (waits ? 0 : 1)
    const due = waits ? note?.due : clock.now() + backOffMs(attempts, FAILURE_RETRY)
    const value: FailedMails = { ...failed, revisions, attempts }
    if (!(await vault.writeNote('message', { id, value, due }, note?.version ?? 'absent'))) throw new NotesMoved()
    return false
  }

  async function loop(step: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await step()
      await Promise.race([clock.sleep(TURN_MS), stopped])
    }
  }

  return {
    start() {
      running = Promise.all([loop(lead), ...sendings.map(async (sending) => loop(async () => attempt(sending)))])
    },
    async turn() {
      await lead()
      for (const sending of sendings) await attempt(sending)
    },
    async stop() {
      stopping.abort()
      await running
      await leases.giveBack(LEASE).catch(() => undefined)
    },
  }
}

/** Logins from browsers that the owner had not used before. */
function loginLines(times: readonly string[]): string[] {
  const last = times.at(-1)
  if (last === undefined) return []
  const at = `${last.slice(0, 16).replace('T', ' ')} UTC`
  const what = times.length === 1 ? 'Login from a new browser' : `${times.length} logins from new browsers, the last`
  return [`${what} at ${at}. If it was not you, change the password`]
}

/** The mails of one order. */
interface MailJob {
  readonly id: string
  readonly note: VaultNote | undefined
  readonly failed: FailedMails
  /** Of those that failed, and of new events. */
  readonly revisions: readonly number[]
  /** Until the failed ones are due. */
  readonly waits: boolean
}

type Outcome = 'sent' | 'none' | WayAway | MessageRefused

function newSending({ name, way }: Channel): Sending {
  return { name, way, stored: undefined, unsaved: undefined, failures: 0, restUntil: 0, gatherUntil: undefined }
}

function isOfWay(error: unknown): error is WayAway | MessageRefused {
  return error instanceof WayAway || error instanceof MessageRefused
}

/** Nothing gets through, so no message is to blame. */
function throwIfAllAway(jobs: readonly { readonly outcome: Outcome }[]): void {
  const tried = jobs.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'none')
  if (tried[0] instanceof WayAway && tried.every((outcome) => outcome instanceof WayAway)) throw tried[0]
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Every event of an order has the time at which it happened. */
function timeOf(event: RecordedEvent | UnreadableEvent): string | undefined {
  return event.type !== 'unreadable' && 'at' in event.data ? event.data.at : undefined
}
