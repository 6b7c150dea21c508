import { backOffMs } from '../ports/back-off.ts'
import { oneLine } from '../ports/one-line.ts'

const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 60_000
/** After calls fail in a row for this long, the provider is away. */
const AWAY_AFTER_MS = 30_000
/** Without a call for this long, its state is unknown. */
const KNOWN_FOR_MS = 5 * 60_000
const FAILING_FOR_MS = 60_000
const FAILURES_MAX = 10_000
const REASON_MAX = 300

/** A provider's health as this process has seen it: calls, webhooks and keys. A breaker holds calls back while the provider is overloaded or away. */
export class ProviderHealth {
  /** Calls since the start. */
  readonly calls = { answered: 0, failed: 0 }
  webhookAt: number | undefined
  /** The last one that was unsigned or malformed. */
  refusedWebhookAt: number | undefined
  /** `areAccepted` is null if the provider could not be asked. */
  keys: { readonly at: number; readonly areAccepted: boolean | null; readonly reason: string | null } | null = null
  private readonly now: () => number
  /** In a row. */
  private failures = 0
  private pausedUntil = 0
  private failing: { readonly since: number; readonly last: number; readonly reason: string } | undefined
  private failedAt: readonly number[] = []

  constructor(now: () => number) {
    this.now = now
  }

  get isPaused(): boolean {
    return this.now() < this.pausedUntil
  }

  recordReply(): void {
    this.calls.answered += 1
    this.failures = 0
    this.pausedUntil = 0
    this.failing = undefined
  }

  /** `askedMs`: the pause that the provider asks for. Ours doubles per failure. */
  recordFailure(error: unknown, askedMs = 0): void {
    const at = this.now()
    this.calls.failed += 1
    this.failedAt = [...this.failedAt.filter((one) => at - one < FAILING_FOR_MS), at].slice(-FAILURES_MAX)
    const since = this.failing && at - this.failing.last < KNOWN_FOR_MS ? this.failing.since : at
    this.failing = { since, last: at, reason: messageOf(error) }
    // Calls that began before the pause fail together, and count once.
    if (this.isPaused) return
    this.failures += 1
    const pauseMs = Math.max(backOffMs(this.failures, { from: PAUSE_MS, max: PAUSE_MS_MAX }), askedMs)
    this.pausedUntil = at + Math.min(pauseMs, PAUSE_MS_MAX)
  }

  recordKeys(report: { readonly areAccepted: boolean | null; readonly reason: string | null }): void {
    this.keys = { at: this.now(), ...report }
  }

  /** `awaySince`: undefined while it answers, or while too little is known. `failing`: calls that failed in the last minute. */
  state(): { readonly awaySince: number | undefined; readonly reason: string | undefined; readonly failing: number } {
    const at = this.now()
    const { failing } = this
    const isAway = failing && failing.last - failing.since >= AWAY_AFTER_MS && at - failing.last < KNOWN_FOR_MS
    return {
      awaySince: isAway ? failing.since : undefined,
      reason: isAway ? failing.reason : undefined,
      failing: this.failedAt.filter((one) => at - one < FAILING_FOR_MS).length,
    }
  }
}

export function messageOf(error: unknown): string {
  return oneLine(error).slice(0, REASON_MAX)
}
