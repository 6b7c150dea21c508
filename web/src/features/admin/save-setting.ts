import type { PaymentSettings } from '#contract/settings.ts'
import { mutate } from 'swr'
import { changeSettings } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { pricingKey } from '../../api/pricing.ts'
import { productsKey } from '../../api/products.ts'
import { settingsKey } from '../../api/settings.ts'
import { toast } from '../../components/ui/toast.ts'
import { afterConflict, revisionToSendAt, type SettingName } from './setting-drafts.ts'

const TRIES_MAX = 3

type Value = number | boolean | NonNullable<PaymentSettings['upiGateway']>

export interface Change {
  readonly name: SettingName | 'upiGateway'
  readonly value: Value
  /** What stood in the field when the edit began. */
  readonly seen: Value | undefined
  readonly seenRevision: number
  readonly editKey: string
}

export type Saved =
  | { readonly is: 'saved'; readonly settings: PaymentSettings }
  | { readonly is: 'conflict'; readonly theirs: Value | undefined; readonly revision: number }

let queue: Promise<unknown> = Promise.resolve()

/** One after another, each at the revision that the one before has left. Throws what the shop says against it. */
export async function saveSetting(change: Change, current: () => PaymentSettings | undefined): Promise<Saved> {
  const saved = queue.then(async () => save(change, current()))
  queue = saved.catch(() => undefined)
  return saved
}

async function save(change: Change, current: PaymentSettings | undefined): Promise<Saved> {
  const { name, value, seen } = change
  if (name === 'currentStock') return finish(await changeSettings(...stockChange(change)))
  const now = current ?? { [name]: seen, revision: change.seenRevision }
  let revision = revisionToSendAt(
    { value: (now as Record<string, unknown>)[name], revision: now.revision },
    { value: seen, revision: change.seenRevision },
  )
  for (let tries = 1; ; tries += 1) {
    try {
      return await finish(await changeSettings({ [name]: value }, { headers: { 'If-Match': `"${revision}"` } }))
    } catch (error) {
      const newer = newerSettings(error)
      if (newer === undefined || tries === TRIES_MAX) throw error
      void mutate(settingsKey, newer, { revalidate: false })
      const theirs = newer[name]
      const next = afterConflict({ seen, mine: value, theirs })
      if (next === 'ask') return { is: 'conflict', theirs, revision: newer.revision }
      if (next === 'already-so') return finish(newer)
      revision = newer.revision
    }
  }
}

export function failureOf(error: unknown): string {
  return `Failed to update payment settings. ${sayError(error)}`
}

/** For a page that is closing: sends the change without waiting for the answer. */
export function saveOnTheWayOut(change: Change): void {
  const headers = { 'If-Match': `"${change.seenRevision}"` }
  const [body, sent] =
    change.name === 'currentStock' ? stockChange(change) : [{ [change.name]: change.value }, { headers }]
  void changeSettings(body, { ...sent, keepalive: true }).catch(() => undefined)
}

/** The shop applies the difference, so that what is sold meanwhile stays sold. */
function stockChange({ value, seen, editKey }: Change): Parameters<typeof changeSettings> {
  return [{ currentStock: Number(value), currentStockSeen: Number(seen) }, { headers: { 'Idempotency-Key': editKey } }]
}

async function finish(settings: PaymentSettings): Promise<Saved> {
  toast('Success', 'Settings updated successfully')
  await mutate(settingsKey, settings, { revalidate: false })
  void mutate(settingsKey)
  void mutate(pricingKey)
  void mutate(productsKey)
  return { is: 'saved', settings }
}

function newerSettings(error: unknown): PaymentSettings | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined
  return error.problem['current'] as PaymentSettings | undefined
}
