import type { PaymentSettings } from '#contract/settings.ts'

export type SettingName = Exclude<keyof PaymentSettings, 'revision' | 'upiGateway'>
export type NumberName = { [Name in SettingName]: PaymentSettings[Name] extends number ? Name : never }[SettingName]
export type SwitchName = Exclude<SettingName, NumberName>

export interface NumberRule {
  readonly min: number
  readonly max: number
  readonly decimals: 0 | 2
}

/** What is typed and not saved, and what it was typed over. */
export interface Draft {
  readonly text: string
  readonly seen: number
  readonly seenRevision: number
  /** One key per edit, so that a repeated save of the stock is the same save. */
  readonly editKey: string
}

/** Drafts outlive the form: a session that ends must not take along what was typed. */
const drafts = new Map<NumberName, Draft>()

export function draftOf(name: NumberName): Draft | undefined {
  return drafts.get(name)
}

export function keepDraft(name: NumberName, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(name)
  else drafts.set(name, draft)
}

export function forgetDrafts(): void {
  drafts.clear()
}

/** Thousands, also as India writes them: `1,00,000`. `1,5` is no fifteen. */
const grouped = /^\d{1,3}(?:[,\s]\d{2,3})*[,\s]\d{3}$/

/** Whole numbers may carry spaces or commas, as people write thousands. */
export function readNumber(text: string, rule: NumberRule): { value: number } | { problem: string } {
  // A range stays on one line.
  const range = `${rule.min.toLocaleString('en-US')}\u00A0to\u00A0${rule.max.toLocaleString('en-US')}`
  const kind = rule.decimals === 0 ? 'a whole number' : 'a number with at most 2 decimals'
  const problem = `Enter ${kind} from ${range}.`
  const trimmed = text.trim()
  const plain = rule.decimals === 0 && grouped.test(trimmed) ? trimmed.replaceAll(/[,\s]/g, '') : trimmed
  const isNumber = rule.decimals === 0 ? /^\d{1,15}$/.test(plain) : /^(?:\d{1,9}(?:\.\d{0,2})?|\.\d{1,2})$/.test(plain)
  const value = Number(plain)
  return isNumber && value >= rule.min && value <= rule.max ? { value } : { problem }
}

/**
 * The revision to save at: the newest while this field is unchanged, since other fields may have been saved; else the
 * one that was edited, so that the server reports the conflict.
 */
export function revisionToSendAt(
  now: { readonly value: unknown; readonly revision: number },
  seen: { readonly value: unknown; readonly revision: number },
): number {
  return now.value === seen.value ? now.revision : seen.revision
}

export type AfterConflict = 'repeat' | 'already-so' | 'ask'

/** The settings have changed since they were seen: is it about this field at all? */
export function afterConflict({
  seen,
  mine,
  theirs,
}: {
  seen: unknown
  mine: unknown
  theirs: unknown
}): AfterConflict {
  if (theirs === mine) return 'already-so'
  return theirs === seen ? 'repeat' : 'ask'
}
