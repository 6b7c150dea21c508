import * as z from 'zod'
import { inTime } from '../ports/in-time.ts'
import { type KeysReport, type PaymentProvider, ProviderAway } from './payment-provider.ts'
import { NotAsked } from './provider-pace.ts'

/** Small texts under names that all processes share; those of the view store are. They may be lost: what goes on is noted again. */
export interface SharedTexts {
  read(name: string): Promise<string | undefined>
  /** Sets a text that is still `from`; false, and nothing is changed, where it is another one. */
  replace(name: string, values: { readonly from: string | undefined; readonly to: string }): Promise<boolean>
}

/** Calls that fail one after another for this long, with no answer to any process: the provider is away. */
const AWAY_AFTER_MS = 30_000
/** Without a call for this long, nothing is known of it any more. */
const KNOWN_FOR_MS = 5 * 60_000
const FAILING_FOR_MS = 60_000
const NOTED_EVERY_MS = 5_000
const READ_EVERY_MS = 2_000
const READ_MS = 300
/** Everybody can send a webhook that is not signed. */
const REFUSED_EVERY_MS = 60_000
const REMEMBERED_MAX = 10_000
const WRITES_MAX = 5
const REASON_MAX = 300

const note = z.object({
  /** Since the first of these failures no process had an answer. */
  failing: z.object({ since: z.number(), last: z.number(), reason: z.string() }).nullable(),
  webhookAt: z.number().nullable(),
  refusedWebhookAt: z.number().nullable(),
  keys: z.object({ at: z.number(), areAccepted: z.boolean().nullable(), reason: z.string().nullable() }).nullable(),
  /** By process. */
  figures: z.record(z.string(), z.object({ at: z.number(), failing: z.number(), late: z.number() })),
})
type Note = z.infer<typeof note>

/** Below every note, so that it takes the place of none. */
const nothing: Note = { failing: null, webhookAt: null, refusedWebhookAt: null, keys: null, figures: {} }

/** What all processes know of a provider. */
export interface ProviderState {
  /** Undefined while it answers, or while too little is known. */
  readonly awaySince: number | undefined
  /** Of the last call that failed, while it is away. */
  readonly reason: string | undefined
  /** Calls that failed in the last minute. */
  readonly failing: number
  /** Payments whose last look brought no answer. */
  readonly late: number
  readonly webhookAt: number | undefined
  /** The last one that was not signed, or no webhook of this provider. */
  readonly refusedWebhookAt: number | undefined
  /** `areAccepted` is null where the provider could not be asked. */
  readonly keys: Note['keys']
}

/** Calls of one provider by this process. */
interface Calls {
  answered: number
  failed: number
  failedAt: number[]
  /** By payment id, since when. */
  readonly late: Map<string, number>
  notedAt: number
  refusedNotedAt: number
  known: { readonly note: Note; readonly at: number } | undefined
  reading: Promise<void> | undefined
}

interface Options {
  readonly texts: SharedTexts
  readonly now: () => number
  /** Of this process. */
  readonly id: string
}

/** Watches the calls to providers, and tells all processes how it is with each. Never fails a call, nor makes it wait. */
export class ProviderWatch {
  private readonly options: Options
  private readonly calls = new Map<string, Calls>()

  constructor(options: Options) {
    this.options = options
  }

  /** The same provider, watched. Limits and rates are answered from caches, so that they tell nothing. */
  watched(provider: PaymentProvider): PaymentProvider {
    const { name } = provider
    this.callsOf(name)
    const watching = async <Result>(asked: Promise<Result>, paymentId?: string): Promise<Result> => {
      try {
        const result = await asked
        this.answered(name, paymentId)
        return result
      } catch (error) {
        if (error instanceof ProviderAway) this.failed(name, error, paymentId)
        else this.answered(name, paymentId)
        throw error
      }
    }
    const find = provider.find?.bind(provider)
    const capture = provider.capture?.bind(provider)
    const checkKeys = provider.checkKeys?.bind(provider)
    return {
      ...provider,
      create: async (request) => watching(provider.create(request)),
      check: async (payment, kind) => watching(provider.check(payment, kind), payment.paymentId),
      ...(find && { find: async (id) => watching(find(id)) }),
      ...(capture && { capture: async (payment, requestId) => watching(capture(payment, requestId)) }),
      ...(checkKeys && { checkKeys: async () => this.keysChecked(name, checkKeys()) }),
    }
  }

  /** Of those that are watched. */
  get names(): readonly string[] {
    return [...this.calls.keys()]
  }

  /** A webhook of this provider came; `isRefused`: it was not signed, or was none. */
  webhookCame(name: string, isRefused: boolean): void {
    const { now } = this.options
    const calls = this.callsOf(name)
    if (isRefused) {
      if (now() - calls.refusedNotedAt < REFUSED_EVERY_MS) return
      calls.refusedNotedAt = now()
    }
    this.noteSoon(name, (old) => ({ ...old, [isRefused ? 'refusedWebhookAt' : 'webhookAt']: now() }))
  }

  /** From what was read up to 2 s ago; what was known last where nothing can be read now. */
  async stateOf(name: string): Promise<ProviderState> {
    const at = this.options.now()
    const { failing, webhookAt, refusedWebhookAt, keys, figures } = await this.read(name)
    const isAway = failing && failing.last - failing.since >= AWAY_AFTER_MS && at - failing.last < KNOWN_FOR_MS
    const shown = Object.values({ ...figures, [this.options.id]: this.figuresNow(name) })
    const fresh = shown.filter((one) => at - one.at < KNOWN_FOR_MS)
    return {
      awaySince: isAway ? failing.since : undefined,
      reason: isAway ? failing.reason : undefined,
      failing: sumOf(fresh.filter((one) => at - one.at < FAILING_FOR_MS).map((one) => one.failing)),
      late: sumOf(fresh.map(({ late }) => late)),
      webhookAt: webhookAt ?? undefined,
      refusedWebhookAt: refusedWebhookAt ?? undefined,
      keys,
    }
  }

  /** Calls of this process since its start. */
  callsSince(name: string): { readonly answered: number; readonly failed: number } {
    const { answered, failed } = this.callsOf(name)
    return { answered, failed }
  }

  private answered(name: string, paymentId: string | undefined): void {
    const calls = this.callsOf(name)
    calls.answered += 1
    const wasLate = paymentId !== undefined && calls.late.delete(paymentId)
    if (wasLate) this.noteFigures(name)
    void this.noteBack(name)
  }

  private async noteBack(name: string): Promise<void> {
    const { failing } = await this.read(name)
    if (failing) this.noteSoon(name, (old) => ({ ...old, failing: null }))
  }

  private failed(name: string, error: ProviderAway, paymentId: string | undefined): void {
    const calls = this.callsOf(name)
    const at = this.options.now()
    if (paymentId !== undefined) {
      calls.late.set(paymentId, at)
      trim(calls.late)
    }
    if (error instanceof NotAsked) {
      this.noteFigures(name)
      return
    }
    calls.failed += 1
    calls.failedAt = [...calls.failedAt.filter((one) => at - one < FAILING_FOR_MS), at].slice(-REMEMBERED_MAX)
    if (calls.known?.note.failing && at - calls.notedAt < NOTED_EVERY_MS) return
    this.noteSoon(name, (old) => {
      const isAnew = !old.failing || at - old.failing.last >= KNOWN_FOR_MS
      const since = isAnew ? at : (old.failing?.since ?? at)
      return { ...old, failing: { since, last: at, reason: error.message.slice(0, REASON_MAX) } }
    })
  }

  private async keysChecked(name: string, asked: Promise<KeysReport>): Promise<KeysReport> {
    const noteKeys = async (keys: Omit<NonNullable<Note['keys']>, 'at'>): Promise<void> =>
      this.note(name, (old) => ({ ...old, keys: { at: this.options.now(), ...keys } }))
    try {
      const report = await asked
      // A refusal is an answer, but payments fail all the same.
      if (report.areAccepted) this.answered(name, undefined)
      await noteKeys(report)
      return report
    } catch (error) {
      if (error instanceof ProviderAway) {
        this.failed(name, error, undefined)
        await noteKeys({ areAccepted: null, reason: error.message.slice(0, REASON_MAX) })
      }
      throw error
    }
  }

  private figuresNow(name: string): Note['figures'][string] {
    const at = this.options.now()
    const { failedAt, late } = this.callsOf(name)
    for (const [id, since] of late) if (at - since >= KNOWN_FOR_MS) late.delete(id)
    return { at, failing: failedAt.filter((one) => at - one < FAILING_FOR_MS).length, late: late.size }
  }

  private async read(name: string): Promise<Note> {
    const calls = this.callsOf(name)
    const { known } = calls
    // A buyer's page asks for it: views that hang must not hold it up.
    if (known && (calls.reading || this.options.now() - known.at < READ_EVERY_MS)) return known.note
    calls.reading ??= this.readNow(name).finally(() => {
      calls.reading = undefined
    })
    await inTime(calls.reading, READ_MS, undefined)
    calls.known ??= { note: nothing, at: 0 }
    return calls.known.note
  }

  private async readNow(name: string): Promise<void> {
    const { texts, now } = this.options
    try {
      this.callsOf(name).known = { note: noteFrom(await texts.read(markOf(name))), at: now() }
    } catch {
      // What was known before is shown.
    }
  }

  private noteFigures(name: string): void {
    if (this.options.now() - this.callsOf(name).notedAt >= NOTED_EVERY_MS) this.noteSoon(name, (old) => old)
  }

  private noteSoon(name: string, change: (old: Note) => Note): void {
    this.callsOf(name).notedAt = this.options.now()
    void this.note(name, change)
  }

  /** Where the views are away, the next call notes it again. */
  private async note(name: string, change: (old: Note) => Note): Promise<void> {
    const { texts, now, id } = this.options
    const calls = this.callsOf(name)
    try {
      for (let turn = 0; turn < WRITES_MAX; turn += 1) {
        const from = await texts.read(markOf(name))
        const old = noteFrom(from)
        const figures = Object.entries(old.figures).filter(([, { at }]) => now() - at < KNOWN_FOR_MS)
        const next = { ...change(old), figures: { ...Object.fromEntries(figures), [id]: this.figuresNow(name) } }
        const to = JSON.stringify(next)
        if (!(await texts.replace(markOf(name), { from, to }))) continue
        calls.known = { note: next, at: now() }
        return
      }
    } catch {
      // Not worth failing a payment for.
    }
  }

  private callsOf(name: string): Calls {
    const known = this.calls.get(name)
    if (known) return known
    const calls: Calls = {
      answered: 0,
      failed: 0,
      failedAt: [],
      late: new Map(),
      notedAt: 0,
      refusedNotedAt: 0,
      known: undefined,
      reading: undefined,
    }
    this.calls.set(name, calls)
    return calls
  }
}

function markOf(name: string): string {
  return `provider-${name}`
}

function noteFrom(text: string | undefined): Note {
  if (text === undefined) return nothing
  try {
    return note.parse(JSON.parse(text))
  } catch {
    // Of another release.
    return nothing
  }
}

function trim(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
