import type { PaymentSettings } from '#contract/settings.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isLoggedOut } from '../../api/staff-session.ts'
import { randomKey } from '../../lib/random-key.ts'
import { type Change, failureOf, saveOnTheWayOut, saveSetting } from './save-setting.ts'
import { type Draft, draftOf, keepDraft, type NumberName, type NumberRule, readNumber } from './setting-drafts.ts'

export type FieldState =
  | { readonly is: 'idle' }
  | { readonly is: 'saving' }
  | { readonly is: 'saved'; readonly at: number; readonly note?: string | undefined }
  | { readonly is: 'invalid'; readonly problem: string }
  | { readonly is: 'not-saved'; readonly message: string }
  | { readonly is: 'conflict'; readonly theirs: number; readonly revision: number }

/** The text of one field, whether it is saved, and what can be done. */
export function useNumberSetting(name: NumberName, settings: PaymentSettings, rule: NumberRule) {
  const [draft, setDraft] = useState<Draft | undefined>(() => draftOf(name))
  const [state, setState] = useState<FieldState>(() => stateOf(draftOf(name), rule))
  const text = draft?.text ?? textOf(settings[name], rule)

  const keep = (next: Draft | undefined) => {
    keepDraft(name, next)
    setDraft(next)
  }

  const type = (typed: string) => {
    const { seen, seenRevision } =
      state.is === 'conflict'
        ? { seen: state.theirs, seenRevision: state.revision }
        : (draft ?? { seen: settings[name], seenRevision: settings.revision })
    // A new number is a new edit with a new idempotency key.
    keep({ text: typed, seen, seenRevision, editKey: randomKey() })
    setState({ is: 'idle' })
  }

  const restore = () => {
    keep(undefined)
    setState({ is: 'idle' })
  }

  const latest = useRef<Latest>({ draft, state, settings })
  useEffect(() => {
    latest.current = { draft, state, settings }
  })

  const send = async (edit: Draft) => {
    const change = changeOf(name, edit, rule)
    if (change === undefined) return
    setState({ is: 'saving' })
    try {
      const saved = await saveSetting(change, () => latest.current.settings)
      const isTypedOn = draftOf(name) !== undefined && draftOf(name)?.editKey !== edit.editKey
      if (saved.is === 'conflict') {
        setState({ is: 'conflict', theirs: Number(saved.theirs), revision: saved.revision })
        return
      }
      if (isTypedOn) return
      keep(undefined)
      setState({ is: 'saved', at: Date.now(), note: soldNote(change, saved.settings) })
    } catch (error) {
      setState({ is: 'not-saved', message: failureOf(error) })
    }
  }

  const save = () => {
    if (draft === undefined || state.is === 'saving' || state.is === 'conflict') return
    const read = readNumber(draft.text, rule)
    if ('problem' in read) setState({ is: 'invalid', problem: read.problem })
    else if (read.value === draft.seen) restore()
    else void send(draft)
  }

  const useMine = () => {
    if (draft === undefined || state.is !== 'conflict') return
    const edit = { ...draft, seen: state.theirs, seenRevision: state.revision }
    keep(edit)
    void send(edit)
  }

  useSavedOnLeaving(name, rule, latest)
  const now = settings[name]
  const movedTo = draft !== undefined && state.is !== 'conflict' && draft.seen !== now ? now : undefined
  return { text, state, type, save, restore, useMine, movedTo }
}

interface Latest {
  readonly draft: Draft | undefined
  readonly state: FieldState
  readonly settings: PaymentSettings
}

/** Unsaved text is saved when the tab is left or the page is closed. */
function useSavedOnLeaving(name: NumberName, rule: NumberRule, latest: RefObject<Latest>) {
  useEffect(() => {
    const changeLeft = (): Change | undefined => {
      const { draft: left, state: at } = latest.current
      return left !== undefined && at.is === 'idle' && !isLoggedOut() ? changeOf(name, left, rule) : undefined
    }
    const onHide = () => {
      const change = changeLeft()
      if (change !== undefined) saveOnTheWayOut(change)
    }
    window.addEventListener('pagehide', onHide)
    return () => {
      window.removeEventListener('pagehide', onHide)
      const change = changeLeft()
      if (change === undefined) return
      void saveSetting(change, () => latest.current.settings)
        .then(({ is }) => (is === 'saved' ? keepDraft(name, undefined) : undefined))
        .catch(() => undefined)
    }
  }, [name, rule, latest])
}

function changeOf(name: NumberName, draft: Draft, rule: NumberRule): Change | undefined {
  const read = readNumber(draft.text, rule)
  if ('problem' in read || read.value === draft.seen) return undefined
  const { seen, seenRevision, editKey } = draft
  return { name, value: read.value, seen, seenRevision, editKey }
}

/** A draft that still exists was not saved. */
function stateOf(draft: Draft | undefined, rule: NumberRule): FieldState {
  if (draft === undefined) return { is: 'idle' }
  const read = readNumber(draft.text, rule)
  if ('problem' in read) return { is: 'invalid', problem: read.problem }
  return { is: 'not-saved', message: 'Not saved. This is what you had typed.' }
}

function soldNote({ name, value, seen }: Change, settings: PaymentSettings): string | undefined {
  const between = Number(value) - settings.currentStock
  if (name !== 'currentStock' || between === 0) return undefined
  const added = Number(value) - Number(seen)
  const step = `${added > 0 ? 'Added' : 'Took away'} ${Math.abs(added).toLocaleString('en-US')}M`
  const meanwhile = `${Math.abs(between).toLocaleString('en-US')}M ${between > 0 ? 'were sold' : 'came back'} meanwhile`
  return `${step}; ${meanwhile}.`
}

export function textOf(value: number, { decimals }: NumberRule): string {
  return decimals === 0 ? String(value) : value.toFixed(decimals)
}
